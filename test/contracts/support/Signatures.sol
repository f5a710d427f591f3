// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {BondingCurve} from "../../../server/money/chain/contracts/BondingCurve.sol";
import {ProjectToken} from "../../../server/money/chain/contracts/ProjectToken.sol";
import {Test} from "./Test.sol";

/// @dev Signs authorizations as a wallet does. Types and domain are written out, so that a contract with another idea of
/// them refuses the signature.
abstract contract Signatures is Test {
    /// @dev The members in the order of the EIP-712 types, so that the ABI encodes them as EIP-712 does.
    struct Transfer {
        address from;
        address to;
        uint256 value;
        uint256 validAfter;
        uint256 validBefore;
        bytes32 nonce;
    }

    struct Sale {
        address seller;
        uint256 amount;
        uint256 minOut;
        address recipient;
        uint256 validAfter;
        uint256 validBefore;
        bytes32 nonce;
    }

    string internal constant TRANSFER =
        "TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)";
    string internal constant RECEIVE =
        "ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)";
    string internal constant SALE =
        "SellWithAuthorization(address seller,uint256 amount,uint256 minOut,address recipient,uint256 validAfter,uint256 validBefore,bytes32 nonce)";
    string internal constant CANCEL = "CancelAuthorization(address authorizer,bytes32 nonce)";

    /// @dev The order of the group secp256k1.
    uint256 internal constant ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141;

    /// @dev The EIP-712 domain of a token.
    function _domainOf(string memory name, address verifyingContract) internal view returns (bytes32) {
        return _domainOf(name, "1", verifyingContract);
    }

    function _domainOf(string memory name, string memory version, address verifyingContract)
        internal
        view
        returns (bytes32)
    {
        bytes32 typeHash =
            keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
        return keccak256(
            abi.encode(typeHash, keccak256(bytes(name)), keccak256(bytes(version)), block.chainid, verifyingContract)
        );
    }

    function _digest(bytes32 domain, bytes memory body) private pure returns (bytes32) {
        return keccak256(abi.encodePacked("\x19\x01", domain, keccak256(body)));
    }

    function _transferDigest(bytes32 domain, string memory kind, Transfer memory t) internal pure returns (bytes32) {
        return _digest(domain, abi.encode(keccak256(bytes(kind)), t));
    }

    function _saleDigest(bytes32 domain, Sale memory sale) internal pure returns (bytes32) {
        return _digest(domain, abi.encode(keccak256(bytes(SALE)), sale));
    }

    function _cancelDigest(bytes32 domain, address authorizer, bytes32 nonce) internal pure returns (bytes32) {
        return _digest(domain, abi.encode(keccak256(bytes(CANCEL)), authorizer, nonce));
    }

    /// @dev The signature of `_account(signer)`: `r`, `s`, `v`.
    function _sign(string memory signer, bytes32 digest) internal pure returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(_key(signer), digest);
        return abi.encodePacked(r, s, v);
    }

    function _split(bytes memory signature) internal pure returns (uint8 v, bytes32 r, bytes32 s) {
        assembly ("memory-safe") {
            r := mload(add(signature, 0x20))
            s := mload(add(signature, 0x40))
            v := byte(0, mload(add(signature, 0x60)))
        }
    }

    /// @dev The other signature that the same key would have for the same digest.
    function _twin(bytes memory signature) internal pure returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = _split(signature);
        return abi.encodePacked(r, bytes32(ORDER - uint256(s)), v == 27 ? uint8(28) : uint8(27));
    }

    function _transferBySignature(ProjectToken token, Transfer memory t, bytes memory signature) internal {
        token.transferWithAuthorization(t.from, t.to, t.value, t.validAfter, t.validBefore, t.nonce, signature);
    }

    function _transferByParts(ProjectToken token, Transfer memory t, bytes memory signature) internal {
        (uint8 v, bytes32 r, bytes32 s) = _split(signature);
        token.transferWithAuthorization(t.from, t.to, t.value, t.validAfter, t.validBefore, t.nonce, v, r, s);
    }

    function _receiveBySignature(ProjectToken token, Transfer memory t, bytes memory signature) internal {
        token.receiveWithAuthorization(t.from, t.to, t.value, t.validAfter, t.validBefore, t.nonce, signature);
    }

    function _receiveByParts(ProjectToken token, Transfer memory t, bytes memory signature) internal {
        (uint8 v, bytes32 r, bytes32 s) = _split(signature);
        token.receiveWithAuthorization(t.from, t.to, t.value, t.validAfter, t.validBefore, t.nonce, v, r, s);
    }

    function _sellBySignature(BondingCurve curve, Sale memory sale, bytes memory signature)
        internal
        returns (uint256)
    {
        return curve.sellWithAuthorization(
            sale.seller,
            sale.amount,
            sale.minOut,
            sale.recipient,
            sale.validAfter,
            sale.validBefore,
            sale.nonce,
            signature
        );
    }
}
