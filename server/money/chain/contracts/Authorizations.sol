// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "solady/src/tokens/ERC20.sol";
import {ECDSA} from "solady/src/utils/ECDSA.sol";
import {SignatureCheckerLib} from "solady/src/utils/SignatureCheckerLib.sol";

/// @title Transfers by signature
/// @notice A holder signs a transfer, and somebody else sends it and pays the gas (ERC-3009). Each authorization has a
/// nonce of 32 bytes, which its signer can use once or cancel. It is valid while
/// `validAfter < block time < validBefore`.
/// @dev The rules are those of OpenZeppelin's ERC3009. The form with `v`, `r` and `s` takes signatures of keys. The form
/// with `bytes` takes them too, whatever code the key has delegated to (EIP-7702), because the key can delegate to other
/// code at any time; else it asks the address by ERC-1271. A key's signature has exactly one accepted form: 65 bytes with
/// the lower `s`. The EIP-712 domain is the one of `permit`, whose signatures are not restricted to one form.
abstract contract Authorizations is ERC20 {
    /// @notice The signature is not the signer's, or not for these values on this token and chain.
    error InvalidSignature();
    /// @notice The authorization is not valid yet, or no longer.
    /// @param validAfter the block time has to be later, in seconds
    /// @param validBefore the block time has to be earlier, in seconds
    error InvalidAuthorizationTime(uint256 validAfter, uint256 validBefore);
    /// @notice The nonce was used or canceled before.
    /// @param authorizer the signer
    /// @param nonce the nonce
    error UsedAuthorization(address authorizer, bytes32 nonce);
    /// @notice The caller is not the recipient that the authorization names.
    error NotRecipient();

    /// @notice An authorization was used.
    /// @param authorizer the signer
    /// @param nonce its nonce
    event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce);
    /// @notice An authorization was canceled before it was used.
    /// @param authorizer the signer
    /// @param nonce its nonce
    event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce);

    bytes32 private constant TRANSFER_TYPEHASH = keccak256(
        "TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );
    bytes32 private constant RECEIVE_TYPEHASH = keccak256(
        "ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );
    bytes32 private constant CANCEL_TYPEHASH = keccak256("CancelAuthorization(address authorizer,bytes32 nonce)");

    mapping(address authorizer => mapping(bytes32 nonce => bool)) private _used;

    /// @notice Sends the signer's tokens to the signed recipient. Anybody can call it.
    /// @param from the signer
    /// @param to who receives the tokens
    /// @param value base units
    /// @param validAfter the block time has to be later, in seconds
    /// @param validBefore the block time has to be earlier, in seconds
    /// @param nonce any value that the signer has not used
    /// @param v of the signature
    /// @param r of the signature
    /// @param s of the signature
    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external {
        _requireKey(from, _hash(TRANSFER_TYPEHASH, from, to, value, validAfter, validBefore, nonce), v, r, s);
        _useAuthorization(from, validAfter, validBefore, nonce);
        _transfer(from, to, value);
    }

    /// @notice Sends the signer's tokens to the signed recipient. Anybody can call it.
    /// @param from the signer, a key's address or a contract with ERC-1271
    /// @param to who receives the tokens
    /// @param value base units
    /// @param validAfter the block time has to be later, in seconds
    /// @param validBefore the block time has to be earlier, in seconds
    /// @param nonce any value that the signer has not used
    /// @param signature `r`, `s` and `v` of a key, or anything that the contract accepts
    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes calldata signature
    ) external {
        _requireSigner(from, _hash(TRANSFER_TYPEHASH, from, to, value, validAfter, validBefore, nonce), signature);
        _useAuthorization(from, validAfter, validBefore, nonce);
        _transfer(from, to, value);
    }

    /// @notice Sends the signer's tokens to the caller. Only the signed recipient can call it, so nobody can move the
    /// tokens ahead of the transaction in which a contract counts on receiving them.
    /// @param from the signer
    /// @param to the caller
    /// @param value base units
    /// @param validAfter the block time has to be later, in seconds
    /// @param validBefore the block time has to be earlier, in seconds
    /// @param nonce any value that the signer has not used
    /// @param v of the signature
    /// @param r of the signature
    /// @param s of the signature
    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external {
        if (msg.sender != to) revert NotRecipient();
        _requireKey(from, _hash(RECEIVE_TYPEHASH, from, to, value, validAfter, validBefore, nonce), v, r, s);
        _useAuthorization(from, validAfter, validBefore, nonce);
        _transfer(from, to, value);
    }

    /// @notice Sends the signer's tokens to the caller. Only the signed recipient can call it, so nobody can move the
    /// tokens ahead of the transaction in which a contract counts on receiving them.
    /// @param from the signer, a key's address or a contract with ERC-1271
    /// @param to the caller
    /// @param value base units
    /// @param validAfter the block time has to be later, in seconds
    /// @param validBefore the block time has to be earlier, in seconds
    /// @param nonce any value that the signer has not used
    /// @param signature `r`, `s` and `v` of a key, or anything that the contract accepts
    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes calldata signature
    ) external {
        if (msg.sender != to) revert NotRecipient();
        _requireSigner(from, _hash(RECEIVE_TYPEHASH, from, to, value, validAfter, validBefore, nonce), signature);
        _useAuthorization(from, validAfter, validBefore, nonce);
        _transfer(from, to, value);
    }

    /// @notice Makes a nonce unusable, for transfers and for sales. Anybody can send the signer's cancellation.
    /// @param authorizer the signer
    /// @param nonce the nonce
    /// @param v of the signature
    /// @param r of the signature
    /// @param s of the signature
    function cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s) external {
        _requireKey(authorizer, keccak256(abi.encode(CANCEL_TYPEHASH, authorizer, nonce)), v, r, s);
        _consume(authorizer, nonce);
        emit AuthorizationCanceled(authorizer, nonce);
    }

    /// @notice Makes a nonce unusable, for transfers and for sales. Anybody can send the signer's cancellation.
    /// @param authorizer the signer, a key's address or a contract with ERC-1271
    /// @param nonce the nonce
    /// @param signature `r`, `s` and `v` of a key, or anything that the contract accepts
    function cancelAuthorization(address authorizer, bytes32 nonce, bytes calldata signature) external {
        _requireSigner(authorizer, keccak256(abi.encode(CANCEL_TYPEHASH, authorizer, nonce)), signature);
        _consume(authorizer, nonce);
        emit AuthorizationCanceled(authorizer, nonce);
    }

    /// @notice Whether a nonce was used or canceled.
    /// @param authorizer the signer
    /// @param nonce the nonce
    /// @return whether it was
    function authorizationState(address authorizer, bytes32 nonce) external view returns (bool) {
        return _used[authorizer][nonce];
    }

    /// @notice The EIP-712 domain of permits, authorizations and sales (ERC-5267).
    /// @return fields which of the following values the domain has: the first four
    /// @return name_ the token's name
    /// @return version "1"
    /// @return chainId the chain's id
    /// @return verifyingContract this token
    /// @return salt zero
    /// @return extensions none
    function eip712Domain()
        external
        view
        returns (
            bytes1 fields,
            string memory name_,
            string memory version,
            uint256 chainId,
            address verifyingContract,
            bytes32 salt,
            uint256[] memory extensions
        )
    {
        return (hex"0f", name(), "1", block.chainid, address(this), salt, extensions);
    }

    /// @dev Checks the time and uses the nonce up. The signature has to be checked before.
    function _useAuthorization(address authorizer, uint256 validAfter, uint256 validBefore, bytes32 nonce) internal {
        if (block.timestamp <= validAfter || block.timestamp >= validBefore) {
            revert InvalidAuthorizationTime(validAfter, validBefore);
        }
        _consume(authorizer, nonce);
        emit AuthorizationUsed(authorizer, nonce);
    }

    /// @dev Reverts unless `signer` has signed the EIP-712 struct, with a key or as a contract.
    function _requireSigner(address signer, bytes32 structHash, bytes calldata signature) internal view {
        bytes32 digest = _digest(structHash);
        if (signature.length == 65) {
            bytes32 r = bytes32(signature[:32]);
            if (_isKey(signer, digest, uint8(signature[64]), r, bytes32(signature[32:64]))) return;
        }
        bool accepts = SignatureCheckerLib.isValidERC1271SignatureNowCalldata(signer, digest, signature);
        if (!accepts) revert InvalidSignature();
    }

    /// @dev Reverts unless the key of `signer` has signed the EIP-712 struct.
    function _requireKey(address signer, bytes32 structHash, uint8 v, bytes32 r, bytes32 s) private view {
        if (!_isKey(signer, _digest(structHash), v, r, s)) revert InvalidSignature();
    }

    /// @dev Whether the key of `signer` has signed the digest. Of the two values of `s` that fit, only the lower is
    /// accepted, so nobody can turn a signature into another one.
    function _isKey(address signer, bytes32 digest, uint8 v, bytes32 r, bytes32 s) private view returns (bool) {
        if (uint256(s) > ECDSA.N / 2) return false;
        address recovered = ECDSA.tryRecover(digest, v, r, s);
        return recovered != address(0) && recovered == signer;
    }

    function _consume(address authorizer, bytes32 nonce) private {
        if (_used[authorizer][nonce]) revert UsedAuthorization(authorizer, nonce);
        _used[authorizer][nonce] = true;
    }

    function _hash(
        bytes32 typeHash,
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce
    ) private pure returns (bytes32) {
        return keccak256(abi.encode(typeHash, from, to, value, validAfter, validBefore, nonce));
    }

    function _digest(bytes32 structHash) private view returns (bytes32) {
        return keccak256(abi.encodePacked(hex"1901", DOMAIN_SEPARATOR(), structHash));
    }
}
