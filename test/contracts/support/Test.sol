// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Vm} from "./Vm.sol";

/// @dev Base of every test contract: the cheatcodes and a bound for fuzzed numbers.
abstract contract Test {
    Vm internal constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);

    /// @dev Maps `x` into [min, max], keeping values that are inside already.
    function _bound(uint256 x, uint256 min, uint256 max) internal pure returns (uint256) {
        if (x >= min && x <= max) return x;
        uint256 size = max - min + 1;
        return size == 0 ? x : min + x % size;
    }

    /// @dev A number in [min, max] from a random seed, all orders of magnitude above `min` about equally often.
    function _spread(uint256 seed, uint256 min, uint256 max) internal pure returns (uint256) {
        return min + _bound((seed >> 8) >> (seed % 248), 0, max - min);
    }

    /// @dev An address from a name.
    function _account(string memory name) internal pure returns (address) {
        return vm.addr(_key(name));
    }

    /// @dev The private key behind `_account(name)`.
    function _key(string memory name) internal pure returns (uint256) {
        return uint256(keccak256(bytes(name))) >> 8;
    }
}
