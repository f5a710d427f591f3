// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "solady/src/tokens/ERC20.sol";
import {Authorizations} from "../../server/money/chain/contracts/Authorizations.sol";
import {ProjectToken} from "../../server/money/chain/contracts/ProjectToken.sol";
import {ContractWallet} from "./support/Accounts.sol";
import {Marketplace} from "./support/Marketplace.sol";

contract AuthorizationsTest is Marketplace {
    bytes32 private constant NONCE = keccak256("nonce");

    function setUp() public override {
        super.setUp();
        _buy(buyer, 100e18);
    }

    function test_transfer_movesWhatWasSignedAndAnnounces() public {
        Transfer memory t = _order();
        bytes memory signature = _signTransfer("buyer", t);
        vm.assertFalse(token.authorizationState(buyer, NONCE));
        vm.expectEmit(address(token));
        emit Authorizations.AuthorizationUsed(buyer, NONCE);
        vm.expectEmit(address(token));
        emit ERC20.Transfer(buyer, contributor, 40e18);
        vm.prank(stranger);
        _transferBySignature(token, t, signature);
        _assertMoved();
    }

    function test_transfer_takesTheSignatureInParts() public {
        Transfer memory t = _order();
        bytes memory signature = _signTransfer("buyer", t);
        vm.prank(stranger);
        _transferByParts(token, t, signature);
        _assertMoved();
    }

    function test_transfer_noncesAreEachSignersOwnAndInAnyOrder(bytes32 first, bytes32 second) public {
        vm.assume(first != second);
        _buy(stranger, 1e18);
        Transfer memory t = _order();
        t.value = 1e18;
        t.nonce = second;
        _transferBySignature(token, t, _signTransfer("buyer", t));
        t.nonce = first;
        _transferBySignature(token, t, _signTransfer("buyer", t));
        t.from = stranger;
        _transferBySignature(token, t, _signTransfer("stranger", t));
        vm.assertEq(token.balanceOf(contributor), 3e18);
    }

    function test_transfer_isValidBetweenTheTimesAndAtNeither() public {
        Transfer memory t = _order();
        t.validAfter = block.timestamp;
        t.validBefore = block.timestamp + 2;
        bytes memory signature = _signTransfer("buyer", t);
        bytes memory refusal = abi.encodeWithSelector(
            Authorizations.InvalidAuthorizationTime.selector, t.validAfter, t.validBefore
        );
        vm.expectRevert(refusal);
        _transferBySignature(token, t, signature);
        vm.warp(t.validBefore);
        vm.expectRevert(refusal);
        _transferByParts(token, t, signature);
        vm.assertFalse(token.authorizationState(buyer, NONCE));
        vm.warp(t.validAfter + 1);
        _transferBySignature(token, t, signature);
        _assertMoved();
    }

    function test_transfer_refusesOtherTermsAndOtherSigners(uint256 which, uint256 noise) public {
        Transfer memory t = _order();
        bytes memory signature = _signTransfer("buyer", t);
        noise = _bound(noise, 1, type(uint160).max);
        which %= 6;
        if (which == 0) t.from = address(uint160(t.from) ^ uint160(noise));
        if (which == 1) t.to = address(uint160(t.to) ^ uint160(noise));
        if (which == 2) t.value ^= noise;
        if (which == 3) t.validAfter ^= noise;
        if (which == 4) t.validBefore ^= noise;
        if (which == 5) t.nonce ^= bytes32(noise);
        _refusesEverywhere(t, signature);
        t = _order();
        _refusesEverywhere(t, _signTransfer("stranger", t));
    }

    function test_signature_isAcceptedInOneFormOnly() public {
        Transfer memory t = _order();
        bytes memory signature = _signTransfer("buyer", t);
        (uint8 v, bytes32 r, bytes32 s) = _split(signature);
        _refusesEverywhere(t, _twin(signature));
        _refusesEverywhere(t, abi.encodePacked(r, s, v - 27));
        bytes[4] memory others = [
            bytes(""),
            abi.encodePacked(r, bytes32(uint256(s) | uint256(v - 27) << 255)),
            abi.encodePacked(r, s),
            abi.encodePacked(signature, bytes1(0))
        ];
        for (uint256 i; i < others.length; ++i) {
            vm.expectRevert(Authorizations.InvalidSignature.selector);
            _transferBySignature(token, t, others[i]);
        }
        _transferBySignature(token, t, signature);
    }

    function test_signature_ofTheZeroAddressIsRefused(uint8 v, bytes32 r, bytes32 s) public {
        Transfer memory t = _order();
        t.from = address(0);
        t.value = 0;
        bytes memory signature = abi.encodePacked(r, s, v);
        _refusesEverywhere(t, signature);
        vm.expectRevert(Authorizations.InvalidSignature.selector);
        token.cancelAuthorization(address(0), NONCE, signature);
        vm.expectRevert(Authorizations.InvalidSignature.selector);
        token.cancelAuthorization(address(0), NONCE, v, r, s);
    }

    function test_signature_forReceivingDoesNotTransferAndTheOtherWayRound() public {
        Transfer memory t = _order();
        bytes memory forReceiving = _sign("buyer", _transferDigest(_domain(address(token)), RECEIVE, t));
        vm.expectRevert(Authorizations.InvalidSignature.selector);
        _transferBySignature(token, t, forReceiving);
        bytes memory forTransfer = _signTransfer("buyer", t);
        vm.prank(contributor);
        vm.expectRevert(Authorizations.InvalidSignature.selector);
        _receiveBySignature(token, t, forTransfer);
    }

    function test_receive_isForTheSignedRecipientAlone() public {
        Transfer memory t = _order();
        bytes memory signature = _sign("buyer", _transferDigest(_domain(address(token)), RECEIVE, t));
        address[3] memory others = [stranger, buyer, founder];
        for (uint256 i; i < others.length; ++i) {
            vm.prank(others[i]);
            vm.expectRevert(Authorizations.NotRecipient.selector);
            _receiveBySignature(token, t, signature);
            vm.prank(others[i]);
            vm.expectRevert(Authorizations.NotRecipient.selector);
            _receiveByParts(token, t, signature);
        }
        vm.prank(contributor);
        _receiveBySignature(token, t, signature);
        _assertMoved();
        t.nonce = "another";
        signature = _sign("buyer", _transferDigest(_domain(address(token)), RECEIVE, t));
        vm.prank(contributor);
        _receiveByParts(token, t, signature);
        vm.assertEq(token.balanceOf(contributor), 80e18);
    }

    function test_cancel_makesTheNonceUnusable() public {
        Transfer memory t = _order();
        bytes memory signature = _signTransfer("buyer", t);
        bytes memory cancellation = _sign("buyer", _cancelDigest(_domain(address(token)), buyer, NONCE));
        vm.expectEmit(address(token));
        emit Authorizations.AuthorizationCanceled(buyer, NONCE);
        vm.prank(stranger);
        token.cancelAuthorization(buyer, NONCE, cancellation);
        vm.assertTrue(token.authorizationState(buyer, NONCE));
        bytes memory refusal = abi.encodeWithSelector(Authorizations.UsedAuthorization.selector, buyer, NONCE);
        vm.expectRevert(refusal);
        _transferBySignature(token, t, signature);
        vm.expectRevert(refusal);
        token.cancelAuthorization(buyer, NONCE, cancellation);
    }

    function test_cancel_takesTheSignatureInParts() public {
        (uint8 v, bytes32 r, bytes32 s) =
            _split(_sign("buyer", _cancelDigest(_domain(address(token)), buyer, NONCE)));
        token.cancelAuthorization(buyer, NONCE, v, r, s);
        vm.assertTrue(token.authorizationState(buyer, NONCE));
    }

    function test_cancel_refusesOtherSignersAndUsedNonces() public {
        bytes memory forged = _sign("stranger", _cancelDigest(_domain(address(token)), buyer, NONCE));
        (uint8 v, bytes32 r, bytes32 s) = _split(forged);
        vm.expectRevert(Authorizations.InvalidSignature.selector);
        token.cancelAuthorization(buyer, NONCE, forged);
        vm.expectRevert(Authorizations.InvalidSignature.selector);
        token.cancelAuthorization(buyer, NONCE, v, r, s);
        Transfer memory t = _order();
        _transferBySignature(token, t, _signTransfer("buyer", t));
        bytes memory late = _sign("buyer", _cancelDigest(_domain(address(token)), buyer, NONCE));
        vm.expectRevert(abi.encodeWithSelector(Authorizations.UsedAuthorization.selector, buyer, NONCE));
        token.cancelAuthorization(buyer, NONCE, late);
    }

    function test_contractWallet_isAskedForItsSignature() public {
        Transfer memory t = _order();
        t.from = address(new ContractWallet(buyer));
        vm.prank(buyer);
        token.transfer(t.from, 100e18);
        bytes memory signature = _signTransfer("buyer", t);
        vm.expectRevert(Authorizations.InvalidSignature.selector);
        _transferByParts(token, t, signature);
        _transferBySignature(token, t, signature);
        vm.assertEq(token.balanceOf(contributor), 40e18);
        bytes memory cancellation = _sign("buyer", _cancelDigest(_domain(address(token)), t.from, "next"));
        token.cancelAuthorization(t.from, "next", cancellation);
        vm.assertTrue(token.authorizationState(t.from, "next"));
    }

    function test_contractWallet_thatDoesNotAgreeIsNotMoved() public {
        Transfer memory t = _order();
        t.from = address(new ContractWallet(buyer));
        vm.prank(buyer);
        token.transfer(t.from, 100e18);
        bytes memory signature = _signTransfer("stranger", t);
        vm.expectRevert(Authorizations.InvalidSignature.selector);
        _transferBySignature(token, t, signature);
        // A contract without ERC-1271 has no signature.
        t.from = address(curve);
        signature = _signTransfer("buyer", t);
        vm.expectRevert(Authorizations.InvalidSignature.selector);
        _transferBySignature(token, t, signature);
    }

    function test_key_signsWhateverCodeItHasDelegatedTo() public {
        Transfer memory t = _order();
        bytes memory signature = _signTransfer("buyer", t);
        // Code without ERC-1271, as EIP-7702 shows it to other contracts.
        vm.etch(buyer, address(curve).code);
        _transferBySignature(token, t, signature);
        vm.assertEq(token.balanceOf(contributor), 40e18);
        bytes memory cancellation = _sign("buyer", _cancelDigest(_domain(address(token)), buyer, "next"));
        token.cancelAuthorization(buyer, "next", cancellation);
        vm.assertTrue(token.authorizationState(buyer, "next"));
        t.nonce = "another";
        _refusesEverywhere(t, _twin(_signTransfer("buyer", t)));
        _refusesEverywhere(t, _signTransfer("stranger", t));
    }

    function test_transfer_refusesRecipientsThatLockTokensUp() public {
        address[4] memory refused = [address(0), address(token), address(curve), address(wallet)];
        Transfer memory t = _order();
        for (uint256 i; i < refused.length; ++i) {
            t.to = refused[i];
            bytes memory signature = _signTransfer("buyer", t);
            vm.expectRevert(ProjectToken.InvalidRecipient.selector);
            _transferBySignature(token, t, signature);
            vm.expectRevert(ProjectToken.InvalidRecipient.selector);
            _transferByParts(token, t, signature);
            signature = _sign("buyer", _transferDigest(_domain(address(token)), RECEIVE, t));
            // The curve's code does not receive by signature.
            if (refused[i] == address(curve)) continue;
            vm.startPrank(refused[i]);
            vm.expectRevert(ProjectToken.InvalidRecipient.selector);
            _receiveBySignature(token, t, signature);
            vm.expectRevert(ProjectToken.InvalidRecipient.selector);
            _receiveByParts(token, t, signature);
            vm.stopPrank();
        }
        vm.assertEq(token.balanceOf(buyer), 100e18);
    }

    function test_transfer_ofMoreThanTheBalanceLeavesTheNonceUnused() public {
        Transfer memory t = _order();
        t.value = 101e18;
        bytes memory signature = _signTransfer("buyer", t);
        vm.expectRevert(ERC20.InsufficientBalance.selector);
        _transferBySignature(token, t, signature);
        vm.assertFalse(token.authorizationState(buyer, NONCE));
        _buy(buyer, 1e18);
        _transferBySignature(token, t, signature);
    }

    function test_domain_isAnnounced() public view {
        (
            bytes1 fields,
            string memory name,
            string memory version,
            uint256 chainId,
            address verifyingContract,
            bytes32 salt,
            uint256[] memory extensions
        ) = token.eip712Domain();
        vm.assertEq(bytes32(fields), bytes32(hex"0f"));
        vm.assertEq(name, "Research Notes");
        vm.assertEq(version, "1");
        vm.assertEq(chainId, block.chainid);
        vm.assertEq(verifyingContract, address(token));
        vm.assertEq(salt, bytes32(0));
        vm.assertEq(extensions.length, 0);
    }

    /// @dev The buyer sends 40 tokens to the contributor, for an hour from now.
    function _order() private view returns (Transfer memory) {
        return Transfer(buyer, contributor, 40e18, block.timestamp - 1, block.timestamp + 3600, NONCE);
    }

    function _signTransfer(string memory signer, Transfer memory t) private view returns (bytes memory) {
        return _sign(signer, _transferDigest(_domain(address(token)), TRANSFER, t));
    }

    function _refusesEverywhere(Transfer memory t, bytes memory signature) private {
        vm.expectRevert(Authorizations.InvalidSignature.selector);
        _transferBySignature(token, t, signature);
        vm.expectRevert(Authorizations.InvalidSignature.selector);
        _transferByParts(token, t, signature);
        vm.startPrank(t.to);
        vm.expectRevert(Authorizations.InvalidSignature.selector);
        _receiveBySignature(token, t, signature);
        vm.expectRevert(Authorizations.InvalidSignature.selector);
        _receiveByParts(token, t, signature);
        vm.stopPrank();
    }

    function _assertMoved() private view {
        vm.assertTrue(token.authorizationState(buyer, NONCE));
        vm.assertEq(token.balanceOf(buyer), 60e18);
        vm.assertEq(token.balanceOf(contributor), 40e18);
        vm.assertEq(token.balanceOf(stranger), 0);
    }
}
