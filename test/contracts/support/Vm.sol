// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @dev The part of forge's cheatcodes that these tests use. forge-std is not published to npm by its authors.
interface Vm {
    struct Log {
        bytes32[] topics;
        bytes data;
        address emitter;
    }

    function addr(uint256 privateKey) external pure returns (address);
    function assertEq(uint256 a, uint256 b) external pure;
    function assertEq(uint256 a, uint256 b, string calldata message) external pure;
    function assertEq(address a, address b) external pure;
    function assertEq(bool a, bool b) external pure;
    function assertEq(bytes32 a, bytes32 b) external pure;
    function assertEq(bytes calldata a, bytes calldata b) external pure;
    function assertEq(string calldata a, string calldata b) external pure;
    function assertFalse(bool condition) external pure;
    function assertFalse(bool condition, string calldata message) external pure;
    function assertGe(uint256 a, uint256 b, string calldata message) external pure;
    function assertGt(uint256 a, uint256 b, string calldata message) external pure;
    function assertLe(uint256 a, uint256 b, string calldata message) external pure;
    function assertLt(uint256 a, uint256 b, string calldata message) external pure;
    function assertNotEq(address a, address b) external pure;
    function assertTrue(bool condition) external pure;
    function assertTrue(bool condition, string calldata message) external pure;
    function assume(bool condition) external pure;
    function chainId(uint256 id) external;
    function deal(address account, uint256 wei_) external;
    function etch(address account, bytes calldata code) external;
    function expectEmit(address emitter) external;
    function expectRevert() external;
    function expectRevert(bytes4 selector) external;
    function expectRevert(bytes calldata data) external;
    function getRecordedLogs() external returns (Log[] memory);
    function parseBytes(string calldata text) external pure returns (bytes memory);
    function parseJsonString(string calldata json, string calldata key) external pure returns (string memory);
    function prank(address sender) external;
    function readFile(string calldata path) external view returns (string memory);
    function recordLogs() external;
    function replace(string calldata text, string calldata from, string calldata to) external pure returns (string memory);
    function revertToState(uint256 id) external returns (bool);
    function sign(uint256 privateKey, bytes32 digest) external pure returns (uint8 v, bytes32 r, bytes32 s);
    function snapshotState() external returns (uint256 id);
    function startPrank(address sender) external;
    function stopPrank() external;
    function toString(address account) external pure returns (string memory);
    function warp(uint256 timestamp) external;
}
