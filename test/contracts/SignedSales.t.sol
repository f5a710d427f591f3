// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "solady/src/tokens/ERC20.sol";
import {SafeTransferLib} from "solady/src/utils/SafeTransferLib.sol";
import {Authorizations} from "../../server/money/chain/contracts/Authorizations.sol";
import {BondingCurve} from "../../server/money/chain/contracts/BondingCurve.sol";
import {ProjectToken} from "../../server/money/chain/contracts/ProjectToken.sol";
import {ContractWallet, Reenterer, Refuser} from "./support/Accounts.sol";
import {Marketplace} from "./support/Marketplace.sol";

/// @dev The buyer has signed a sale of 40 tokens, the contributor receives the ether, a stranger relays.
contract SignedSalesTest is Marketplace {
    bytes32 private constant NONCE = keccak256("nonce");

    function setUp() public override {
        super.setUp();
        _buy(buyer, 100e18);
    }

    function test_sale_paysTheSignedRecipientAndAnnounces() public {
        Sale memory sale = _order();
        (uint256 ethOut, uint256 fee) = curve.quoteSell(40e18);
        bytes memory signature = _signSale("buyer", sale);
        uint256 accrued = curve.accruedFees();
        uint256 sellers = buyer.balance;
        vm.expectEmit(address(token));
        emit Authorizations.AuthorizationUsed(buyer, NONCE);
        vm.expectEmit(address(token));
        emit ERC20.Transfer(buyer, address(curve), 40e18);
        vm.expectEmit(address(curve));
        emit BondingCurve.Sold(buyer, contributor, 40e18, ethOut, fee, 60e18);
        vm.prank(stranger);
        vm.assertEq(_sellBySignature(curve, sale, signature), ethOut);
        vm.assertEq(contributor.balance, 1000 ether + ethOut);
        vm.assertEq(token.balanceOf(buyer), 60e18);
        vm.assertEq(curve.sold(), 60e18);
        vm.assertEq(curve.accruedFees(), accrued + fee);
        vm.assertTrue(token.authorizationState(buyer, NONCE));
        // The relayer gains nothing.
        vm.assertEq(stranger.balance, 1000 ether);
        vm.assertEq(token.balanceOf(stranger), 0);
        vm.assertEq(buyer.balance, sellers);
    }

    function test_sale_sharesItsNoncesWithTransfers() public {
        Sale memory sale = _order();
        bytes memory signature = _signSale("buyer", sale);
        Transfer memory t = Transfer(buyer, stranger, 1, sale.validAfter, sale.validBefore, NONCE);
        _transferBySignature(token, t, _sign("buyer", _transferDigest(_domain(address(token)), TRANSFER, t)));
        vm.expectRevert(abi.encodeWithSelector(Authorizations.UsedAuthorization.selector, buyer, NONCE));
        _sellBySignature(curve, sale, signature);
    }

    function test_sale_isValidBetweenTheTimesAndAtNeither() public {
        Sale memory sale = _order();
        sale.validAfter = block.timestamp;
        sale.validBefore = block.timestamp + 2;
        bytes memory signature = _signSale("buyer", sale);
        bytes memory refusal = abi.encodeWithSelector(
            Authorizations.InvalidAuthorizationTime.selector, sale.validAfter, sale.validBefore
        );
        vm.expectRevert(refusal);
        _sellBySignature(curve, sale, signature);
        vm.warp(sale.validBefore);
        vm.expectRevert(refusal);
        _sellBySignature(curve, sale, signature);
        vm.warp(sale.validAfter + 1);
        _sellBySignature(curve, sale, signature);
    }

    function test_sale_belowTheSignedMinimumIsRefusedAndStaysValid() public {
        _buy(stranger, 50_000e18);
        Sale memory sale = _order();
        (sale.minOut,) = curve.quoteSell(40e18);
        bytes memory signature = _signSale("buyer", sale);
        _sell(stranger, 50_000e18);
        (uint256 fallen,) = curve.quoteSell(40e18);
        vm.expectRevert(abi.encodeWithSelector(BondingCurve.MinOutNotMet.selector, fallen));
        _sellBySignature(curve, sale, signature);
        vm.assertFalse(token.authorizationState(buyer, NONCE));
        _buy(stranger, 50_000e18);
        vm.assertEq(_sellBySignature(curve, sale, signature), sale.minOut);
    }

    function test_sale_minimumCountsAfterTheFee() public {
        Sale memory sale = _order();
        (uint256 ethOut,) = curve.quoteSell(40e18);
        sale.minOut = ethOut + 1;
        bytes memory signature = _signSale("buyer", sale);
        vm.expectRevert(abi.encodeWithSelector(BondingCurve.MinOutNotMet.selector, ethOut));
        _sellBySignature(curve, sale, signature);
    }

    function test_sale_refusesOtherTermsAndOtherSigners(uint256 which, uint256 noise) public {
        Sale memory sale = _order();
        bytes memory signature = _signSale("buyer", sale);
        noise = _bound(noise, 1, type(uint160).max);
        which %= 7;
        if (which == 0) sale.seller = address(uint160(sale.seller) ^ uint160(noise));
        if (which == 1) sale.amount ^= noise;
        if (which == 2) sale.minOut ^= noise;
        if (which == 3) sale.recipient = address(uint160(sale.recipient) ^ uint160(noise));
        if (which == 4) sale.validAfter ^= noise;
        if (which == 5) sale.validBefore ^= noise;
        if (which == 6) sale.nonce ^= bytes32(noise);
        vm.expectRevert(Authorizations.InvalidSignature.selector);
        _sellBySignature(curve, sale, signature);
        sale = _order();
        bytes memory strangers = _signSale("stranger", sale);
        vm.expectRevert(Authorizations.InvalidSignature.selector);
        _sellBySignature(curve, sale, strangers);
    }

    function test_sale_isNoTransferAndATransferNoSale() public {
        Sale memory sale = _order();
        bytes memory signature = _signSale("buyer", sale);
        Transfer memory t = Transfer(buyer, contributor, 40e18, sale.validAfter, sale.validBefore, NONCE);
        vm.expectRevert(Authorizations.InvalidSignature.selector);
        _transferBySignature(token, t, signature);
        signature = _sign("buyer", _transferDigest(_domain(address(token)), TRANSFER, t));
        vm.expectRevert(Authorizations.InvalidSignature.selector);
        _sellBySignature(curve, sale, signature);
    }

    function test_sale_ofAContractWalletIsAskedFor() public {
        Sale memory sale = _order();
        sale.seller = address(new ContractWallet(buyer));
        vm.prank(buyer);
        token.transfer(sale.seller, 100e18);
        bytes memory forged = _signSale("stranger", sale);
        vm.expectRevert(Authorizations.InvalidSignature.selector);
        _sellBySignature(curve, sale, forged);
        uint256 paid = _sellBySignature(curve, sale, _signSale("buyer", sale));
        vm.assertEq(contributor.balance, 1000 ether + paid);
    }

    function test_sale_toZeroOrToAContractThatTakesNoEtherIsRefusedAndStaysValid() public {
        Sale memory sale = _order();
        sale.recipient = address(0);
        bytes memory signature = _signSale("buyer", sale);
        vm.expectRevert(BondingCurve.InvalidRecipient.selector);
        _sellBySignature(curve, sale, signature);
        address[3] memory refusing = [address(new Refuser()), address(curve), address(token)];
        for (uint256 i; i < refusing.length; ++i) {
            sale.recipient = refusing[i];
            signature = _signSale("buyer", sale);
            vm.expectRevert(SafeTransferLib.ETHTransferFailed.selector);
            _sellBySignature(curve, sale, signature);
        }
        vm.assertFalse(token.authorizationState(buyer, NONCE));
        vm.assertEq(token.balanceOf(buyer), 100e18);
    }

    function test_sale_ofMoreThanWasSoldIsRefused() public {
        _pay("a", contributor, 200e18, 0);
        Sale memory sale = _order();
        sale.seller = contributor;
        sale.amount = 100e18 + 1;
        bytes memory signature = _signSale("contributor", sale);
        vm.expectRevert(abi.encodeWithSelector(BondingCurve.ExceedsSold.selector, 100e18));
        _sellBySignature(curve, sale, signature);
    }

    function test_sale_cannotBeRelayedWhileAnotherIsBeingPaid() public {
        Reenterer reenterer = new Reenterer();
        Sale memory sale = _order();
        bytes memory signature = _signSale("buyer", sale);
        reenterer.prepare(
            abi.encodeCall(
                BondingCurve.sellWithAuthorization,
                (buyer, sale.amount, 0, contributor, sale.validAfter, sale.validBefore, NONCE, signature)
            )
        );
        vm.prank(buyer);
        curve.sell(10e18, 0, address(reenterer), LATER);
        vm.assertEq(reenterer.attempts(), 1);
        vm.assertEq(reenterer.breaches(), 0);
        vm.assertFalse(token.authorizationState(buyer, NONCE));
        _sellBySignature(curve, sale, signature);
    }

    function test_sale_letsNobodyInWhileItPays() public {
        Reenterer reenterer = new Reenterer();
        Sale memory sale = _order();
        sale.recipient = address(reenterer);
        _sellBySignature(curve, sale, _signSale("buyer", sale));
        vm.assertEq(reenterer.attempts(), 1);
        vm.assertEq(reenterer.breaches(), 0);
    }

    function test_takeForSaleWithAuthorization_refusesEverybodyButTheCurve() public {
        Sale memory sale = _order();
        bytes memory signature = _signSale("buyer", sale);
        address[5] memory callers = [stranger, buyer, founder, address(wallet), address(factory)];
        for (uint256 i; i < callers.length; ++i) {
            vm.prank(callers[i]);
            vm.expectRevert(ProjectToken.NotCurve.selector);
            token.takeForSaleWithAuthorization(
                buyer, sale.amount, 0, sale.recipient, sale.validAfter, sale.validBefore, NONCE, signature
            );
        }
    }

    function _order() private view returns (Sale memory) {
        return Sale(buyer, 40e18, 0, contributor, block.timestamp - 1, block.timestamp + 3600, NONCE);
    }

    function _signSale(string memory signer, Sale memory sale) private view returns (bytes memory) {
        return _sign(signer, _saleDigest(_domain(address(token)), sale));
    }
}
