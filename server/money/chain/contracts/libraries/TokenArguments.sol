// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {LibClone} from "solady/src/utils/LibClone.sol";

/// @title Immutable arguments of a project token
/// @notice A token clone carries its arguments behind its code (ERC-1167 with arguments). Nothing can change them there,
/// and reading them costs less than reading storage.
/// @dev Layout: salt (32 bytes), founder (20), curve (20), length of the symbol (1), symbol, name.
library TokenArguments {
    /// @dev Length of the proxy code in front of the arguments.
    uint256 private constant PROXY_LENGTH = 0x2d;
    /// @dev Length of the arguments when symbol and name are empty.
    uint256 private constant HEAD_LENGTH = 73;

    /// @notice Packs the arguments of one token.
    /// @param salt_ the project's salt
    /// @param founder the founder's wallet
    /// @param curve the project's bonding curve
    /// @param name_ the token's name
    /// @param symbol_ the token's symbol, at most 255 bytes
    /// @return the packed arguments
    function encode(bytes32 salt_, address founder, address curve, string memory name_, string memory symbol_)
        internal
        pure
        returns (bytes memory)
    {
        return abi.encodePacked(salt_, founder, curve, uint8(bytes(symbol_).length), symbol_, name_);
    }

    /// @notice Whether the code at `token` is long enough to carry arguments. Check this before you read arguments at an
    /// address that may not be a token.
    /// @param token any address
    /// @return whether the arguments' head can be read
    function present(address token) internal view returns (bool) {
        return token.code.length >= PROXY_LENGTH + HEAD_LENGTH;
    }

    /// @notice The project's salt.
    /// @param token a token clone
    /// @return word the salt
    function salt(address token) internal view returns (bytes32 word) {
        assembly ("memory-safe") {
            extcodecopy(token, 0x00, PROXY_LENGTH, 0x20)
            word := mload(0x00)
        }
    }

    /// @notice The founder's wallet and the project's bonding curve.
    /// @param token a token clone
    /// @return founder the founder's wallet
    /// @return curve the bonding curve
    function parties(address token) internal view returns (address founder, address curve) {
        assembly ("memory-safe") {
            extcodecopy(token, 0x00, add(PROXY_LENGTH, 0x20), 0x28)
            founder := shr(96, mload(0x00))
            curve := shr(96, mload(0x14))
        }
    }

    /// @notice The token's symbol.
    /// @param token a token clone
    /// @return the symbol
    function symbol(address token) internal view returns (string memory) {
        return string(LibClone.argsOnClone(token, HEAD_LENGTH, HEAD_LENGTH + _symbolLength(token)));
    }

    /// @notice The token's name.
    /// @param token a token clone
    /// @return the name
    function name(address token) internal view returns (string memory) {
        return string(LibClone.argsOnClone(token, HEAD_LENGTH + _symbolLength(token)));
    }

    function _symbolLength(address token) private view returns (uint256) {
        return uint8(bytes1(LibClone.argsOnClone(token, HEAD_LENGTH - 1, HEAD_LENGTH)));
    }
}
