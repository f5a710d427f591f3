// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SafeTransferLib} from "solady/src/utils/SafeTransferLib.sol";
import {BondingCurve} from "../../server/money/chain/contracts/BondingCurve.sol";
import {ProjectFactory} from "../../server/money/chain/contracts/ProjectFactory.sol";
import {ProjectToken} from "../../server/money/chain/contracts/ProjectToken.sol";
import {Marketplace} from "./support/Marketplace.sol";
import {Refuser} from "./support/Accounts.sol";

contract BondingCurveTest is Marketplace {
    function test_buy_refusesALateCall() public {
        vm.expectRevert(BondingCurve.DeadlinePassed.selector);
        curve.buy(1, LATER, buyer, block.timestamp - 1);
    }

    function test_buy_refusesNothing() public {
        vm.expectRevert(BondingCurve.ZeroAmount.selector);
        curve.buy(0, LATER, buyer, LATER);
        vm.expectRevert(BondingCurve.ZeroAmount.selector);
        curve.quoteBuy(0);
    }

    function test_buy_refusesMoreThanIsLeft() public {
        _buy(buyer, 1);
        bytes memory refusal = abi.encodeWithSelector(BondingCurve.ExceedsSupply.selector, FOR_SALE - 1);
        vm.expectRevert(refusal);
        curve.buy(FOR_SALE, LATER, buyer, LATER);
        vm.expectRevert(refusal);
        curve.quoteBuy(type(uint256).max);
        _buy(buyer, FOR_SALE - 1);
        vm.expectRevert(abi.encodeWithSelector(BondingCurve.ExceedsSupply.selector, 0));
        curve.quoteBuy(1);
    }

    function test_buy_refusesACostAboveTheLimit() public {
        (uint256 ethIn,) = curve.quoteBuy(100e18);
        vm.prank(buyer);
        vm.expectRevert(abi.encodeWithSelector(BondingCurve.MaxInExceeded.selector, ethIn));
        curve.buy{value: ethIn}(100e18, ethIn - 1, buyer, LATER);
    }

    function test_buy_refusesTooLittleEther() public {
        (uint256 ethIn,) = curve.quoteBuy(100e18);
        vm.prank(buyer);
        vm.expectRevert(abi.encodeWithSelector(BondingCurve.InsufficientPayment.selector, ethIn));
        curve.buy{value: ethIn - 1}(100e18, LATER, buyer, LATER);
    }

    function test_buy_refusesABuyerThatCannotTakeTheRefund() public {
        Refuser refuser = new Refuser();
        (uint256 ethIn,) = curve.quoteBuy(100e18);
        vm.deal(address(refuser), 2 * ethIn);
        vm.expectRevert(SafeTransferLib.ETHTransferFailed.selector);
        refuser.buy(curve, 100e18, ethIn + 1);
        refuser.buy(curve, 100e18, ethIn);
        vm.assertEq(token.balanceOf(address(refuser)), 100e18);
    }

    function test_buy_deliversToTheRecipientAndRefundsThePayer() public {
        (uint256 ethIn, uint256 fee) = curve.quoteBuy(100e18);
        vm.expectEmit(address(curve));
        emit BondingCurve.Bought(buyer, stranger, 100e18, ethIn, fee, 100e18);
        vm.prank(buyer);
        vm.assertEq(curve.buy{value: ethIn + 1 ether}(100e18, ethIn, stranger, LATER), ethIn);
        vm.assertEq(token.balanceOf(stranger), 100e18);
        vm.assertEq(token.balanceOf(buyer), 0);
        vm.assertEq(buyer.balance, 1000 ether - ethIn);
        vm.assertEq(stranger.balance, 1000 ether);
    }

    function test_buy_refusesRecipientsThatLockTokensUp() public {
        address[4] memory refused = [address(0), address(token), address(curve), address(wallet)];
        for (uint256 i; i < refused.length; ++i) {
            vm.prank(buyer);
            vm.expectRevert(ProjectToken.InvalidRecipient.selector);
            curve.buy{value: 1 ether}(100e18, 1 ether, refused[i], LATER);
        }
        vm.assertEq(curve.sold(), 0);
    }

    function test_sell_refusesTheZeroRecipient() public {
        _buy(buyer, 100e18);
        vm.prank(buyer);
        vm.expectRevert(BondingCurve.InvalidRecipient.selector);
        curve.sell(40e18, 0, address(0), LATER);
    }

    function test_sell_paysTheRecipientAndAnnounces() public {
        _buy(buyer, 100e18);
        uint256 before = buyer.balance;
        (uint256 ethOut, uint256 fee) = curve.quoteSell(40e18);
        vm.expectEmit(address(curve));
        emit BondingCurve.Sold(buyer, contributor, 40e18, ethOut, fee, 60e18);
        vm.prank(buyer);
        vm.assertEq(curve.sell(40e18, ethOut, contributor, LATER), ethOut);
        vm.assertEq(contributor.balance, 1000 ether + ethOut);
        vm.assertEq(buyer.balance, before);
        vm.assertEq(token.balanceOf(buyer), 60e18);
    }

    function test_sell_refusesALateCall() public {
        vm.expectRevert(BondingCurve.DeadlinePassed.selector);
        curve.sell(1, 0, buyer, block.timestamp - 1);
    }

    function test_sell_refusesNothing() public {
        vm.expectRevert(BondingCurve.ZeroAmount.selector);
        curve.sell(0, 0, buyer, LATER);
        vm.expectRevert(BondingCurve.ZeroAmount.selector);
        curve.quoteSell(0);
    }

    function test_sell_refusesMoreThanWasSold() public {
        _pay("a", contributor, 100e18, 0);
        _buy(buyer, 99e18);
        bytes memory refusal = abi.encodeWithSelector(BondingCurve.ExceedsSold.selector, 99e18);
        vm.prank(contributor);
        vm.expectRevert(refusal);
        curve.sell(100e18, 0, contributor, LATER);
        vm.expectRevert(refusal);
        curve.quoteSell(type(uint256).max);
        _sell(contributor, 99e18);
        vm.assertEq(curve.sold(), 0);
    }

    function test_sell_refusesMoreThanTheSellerHas() public {
        _buy(buyer, 100e18);
        vm.prank(stranger);
        vm.expectRevert(bytes4(keccak256("InsufficientBalance()")));
        curve.sell(1e18, 0, stranger, LATER);
    }

    function test_sell_refusesAPaymentBelowTheLimit() public {
        _buy(buyer, 100e18);
        (uint256 ethOut,) = curve.quoteSell(100e18);
        vm.prank(buyer);
        vm.expectRevert(abi.encodeWithSelector(BondingCurve.MinOutNotMet.selector, ethOut));
        curve.sell(100e18, ethOut + 1, buyer, LATER);
    }

    function test_sell_refusesDustThatIsWorthNothing() public {
        _buy(buyer, 100e18);
        vm.prank(buyer);
        vm.expectRevert(BondingCurve.NothingToPay.selector);
        curve.sell(1, 0, buyer, LATER);
        vm.expectRevert(BondingCurve.NothingToPay.selector);
        curve.quoteSell(1);
    }

    function test_sell_refusesASellerThatCannotTakeEther() public {
        Refuser refuser = new Refuser();
        (uint256 ethIn,) = curve.quoteBuy(100e18);
        vm.deal(address(refuser), ethIn);
        refuser.buy(curve, 100e18, ethIn);
        vm.expectRevert(SafeTransferLib.ETHTransferFailed.selector);
        refuser.sell(curve, 100e18);
    }

    function test_maxSell_isZeroForDust() public {
        _buy(buyer, 1);
        vm.assertEq(curve.maxSell(buyer), 0);
    }

    function test_withdrawFees_paysTheTreasuryWhoeverCalls() public {
        address[5] memory callers = [owner, operator, founder, stranger, treasury];
        for (uint256 i; i < callers.length; ++i) {
            _buy(buyer, 1000e18);
            uint256 fees = curve.accruedFees();
            uint256 held = address(curve).balance;
            uint256 before = treasury.balance;
            uint256 callersBefore = callers[i].balance;
            vm.expectEmit(address(curve));
            emit BondingCurve.FeesWithdrawn(treasury, fees);
            vm.prank(callers[i]);
            vm.assertEq(curve.withdrawFees(), fees);
            vm.assertEq(treasury.balance, before + fees);
            vm.assertEq(address(curve).balance, held - fees);
            vm.assertEq(curve.accruedFees(), 0);
            if (callers[i] != treasury) vm.assertEq(callers[i].balance, callersBefore);
        }
    }

    function test_withdrawFees_refusesWhenThereAreNone() public {
        vm.expectRevert(BondingCurve.ZeroAmount.selector);
        curve.withdrawFees();
    }

    function test_everySupply_sellsOutAndBuysBack(uint256 tokens, uint256 startFdv, uint256 endFdv) public {
        tokens = _bound(tokens, 1, 1e12);
        startFdv = _bound(startFdv, 1e15, 1e27);
        endFdv = _bound(endFdv, startFdv, 1e27);
        ProjectFactory other = new ProjectFactory(owner, treasury, 1000, 100, startFdv, endFdv, address(0), 0);
        (address token_, address curve_) = other.create("x", "N", "S", tokens * 1e18, founder);
        curve = BondingCurve(curve_);
        token = ProjectToken(token_);
        vm.deal(buyer, 1e28);
        uint256 forSale = curve.forSale();
        curve.price();
        _buy(buyer, forSale - 1);
        _buy(buyer, 1);
        curve.price();
        vm.assertEq(token.balanceOf(curve_), 0);
        vm.assertEq(curve.maxSell(buyer), forSale);
        _sell(buyer, forSale);
        vm.assertEq(curve.sold(), 0);
        vm.assertGe(curve_.balance, curve.accruedFees(), "fees are covered");
    }
}
