// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @dev Numbers of 768 bits in 24 limbs of 32 bits, least significant first; addition, multiplication and comparison as
/// taught at school. Slow and plain, to check fast arithmetic against.
library Wide {
    uint256 private constant LIMBS = 24;

    function from(uint256 x) internal pure returns (uint256[] memory result) {
        result = new uint256[](LIMBS);
        for (uint256 i; i < 8; ++i) result[i] = (x >> (32 * i)) & 0xffffffff;
    }

    function plus(uint256[] memory a, uint256[] memory b) internal pure returns (uint256[] memory result) {
        result = new uint256[](LIMBS);
        uint256 carry;
        for (uint256 i; i < LIMBS; ++i) {
            carry += a[i] + b[i];
            result[i] = carry & 0xffffffff;
            carry >>= 32;
        }
        require(carry == 0, "wide overflow");
    }

    function times(uint256[] memory a, uint256 x) internal pure returns (uint256[] memory result) {
        result = new uint256[](LIMBS);
        uint256[] memory b = from(x);
        for (uint256 j; j < 8; ++j) {
            uint256 carry;
            for (uint256 i; i + j < LIMBS; ++i) {
                carry += result[i + j] + a[i] * b[j];
                result[i + j] = carry & 0xffffffff;
                carry >>= 32;
            }
            require(carry == 0, "wide overflow");
        }
    }

    function less(uint256[] memory a, uint256[] memory b) internal pure returns (bool) {
        for (uint256 i = LIMBS; i > 0; --i) {
            if (a[i - 1] != b[i - 1]) return a[i - 1] < b[i - 1];
        }
        return false;
    }
}
