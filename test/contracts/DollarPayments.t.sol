// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "solady/src/tokens/ERC20.sol";
import {PlatformWallet} from "../../server/money/chain/contracts/PlatformWallet.sol";
import {ProjectFactory} from "../../server/money/chain/contracts/ProjectFactory.sol";
import {BadCoin} from "./support/BadCoin.sol";
import {Dollars} from "./support/Dollars.sol";
import {Vm} from "./support/Vm.sol";

/// @dev How locked dollars are paid, what their fees are, and what the cap and the coin refuse.
contract DollarPaymentsTest is Dollars {
    function test_payWithDollars_paysBothLegsAndAnnouncesThem() public {
        _fund("a", 20e6);
        vm.recordLogs();
        _payBoth("a", contributor, 20e6, 1e6);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        vm.assertEq(logs.length, 5);
        vm.assertEq(logs[0].topics[0], PlatformWallet.Paid.selector);
        _assertTransfer(logs[1], address(token), founder, contributor, 95e18);
        _assertTransfer(logs[2], address(token), founder, treasury, 5e18);
        vm.assertEq(logs[3].topics[0], PlatformWallet.Released.selector);
        vm.assertEq(logs[3].topics[1], bytes32("a"));
        vm.assertEq(logs[3].topics[2], bytes32(uint256(uint160(contributor))));
        vm.assertEq(logs[3].data, abi.encode(20e6, 1e6));
        _assertTransfer(logs[4], address(coin), address(wallet), contributor, 19e6);
        vm.assertEq(coin.balanceOf(contributor), 19e6);
        vm.assertEq(token.balanceOf(contributor), 95e18);
        vm.assertEq(wallet.accruedDollars(), 1e6);
        vm.assertTrue(wallet.paid("a"));
        _assertState("a", PlatformWallet.State.Paid);
    }

    function test_payWithDollars_refusesASecondTime() public {
        _fund("a", 20e6);
        _payBoth("a", contributor, 20e6, 1e6);
        vm.startPrank(operator);
        vm.expectRevert(PlatformWallet.AlreadyPaid.selector);
        wallet.payWithDollars("a", address(token), founder, contributor, 95e18, 5e18, 20e6, 1e6);
        vm.expectRevert(PlatformWallet.AlreadyPaid.selector);
        wallet.pay("a", address(token), founder, contributor, 95e18, 5e18);
        vm.stopPrank();
    }

    function test_pay_refusesTokensAloneWhileDollarsAreLocked() public {
        _fund("a", 20e6);
        _assertTokensAloneRefused();
        vm.warp(block.timestamp + LOCK);
        _assertTokensAloneRefused();
        _refund("a", stranger);
        _pay("a", contributor, 95e18, 5e18);
        vm.assertEq(coin.balanceOf(contributor), 0);
        vm.assertTrue(wallet.paid("a"));
    }

    function test_payWithDollars_refusesOtherAmountsThanWhatIsLocked() public {
        _fund("a", 20e6);
        uint256[4] memory amounts = [uint256(1), 20e6 - 1, 20e6 + 1, 20e6 + (1 << 56)];
        for (uint256 i; i < amounts.length; ++i) _assertOtherDollars("a", amounts[i], 20e6);
        _assertOtherDollars("never funded", 20e6, 0);
        _fund("refunded", 20e6);
        _refund("refunded", operator);
        _assertOtherDollars("refunded", 20e6, 0);
        vm.prank(operator);
        vm.expectRevert(PlatformWallet.NotFunded.selector);
        wallet.payWithDollars("never funded", address(token), founder, contributor, 95e18, 5e18, 0, 0);
    }

    function test_payWithDollars_isThePaymentOfWhoFunded() public {
        _fund("a", 20e6);
        vm.prank(operator);
        (address other,) = factory.create("another founder's", "Other Notes", "OTHER", SUPPLY, stranger);
        vm.prank(operator);
        vm.expectRevert(abi.encodeWithSelector(PlatformWallet.OtherDollars.selector, 20e6));
        wallet.payWithDollars("a", other, stranger, contributor, 95e18, 5e18, 20e6, 0);
        vm.prank(operator);
        vm.expectRevert(abi.encodeWithSelector(PlatformWallet.NotFounder.selector, stranger));
        wallet.payWithDollars("a", other, founder, contributor, 95e18, 5e18, 20e6, 0);
    }

    function test_payWithDollars_keepsTheRulesOfPay() public {
        _fund("a", 20e6);
        address[4] memory callers = [owner, founder, treasury, stranger];
        for (uint256 i; i < callers.length; ++i) {
            vm.prank(callers[i]);
            vm.expectRevert(PlatformWallet.NotOperator.selector);
            wallet.payWithDollars("a", address(token), founder, contributor, 95e18, 5e18, 20e6, 0);
        }
        vm.startPrank(operator);
        vm.expectRevert(PlatformWallet.ZeroAmount.selector);
        wallet.payWithDollars("a", address(token), founder, contributor, 0, 0, 20e6, 0);
        vm.expectRevert(PlatformWallet.SelfPayment.selector);
        wallet.payWithDollars("a", address(token), founder, founder, 95e18, 5e18, 20e6, 0);
        wallet.pause();
        vm.expectRevert(PlatformWallet.PausedError.selector);
        wallet.payWithDollars("a", address(token), founder, contributor, 95e18, 5e18, 20e6, 0);
        vm.stopPrank();
        _assertState("a", PlatformWallet.State.Funded);
    }

    function test_payWithDollars_isRefusedFromTheEndOfTheLockOn() public {
        _fund("a", 20e6);
        uint256 until = block.timestamp + LOCK;
        vm.warp(until);
        vm.prank(operator);
        vm.expectRevert(abi.encodeWithSelector(PlatformWallet.LockOver.selector, until));
        wallet.payWithDollars("a", address(token), founder, contributor, 95e18, 5e18, 20e6, 0);
    }

    function test_payWithDollars_takesAFeeOfAFifthAndNoMore(uint256 dollars, uint256 excess) public {
        dollars = _bound(dollars, 1, CAP);
        uint256 highest = dollars / 5;
        excess = _bound(excess, 1, type(uint256).max - highest);
        _fund("a", dollars);
        vm.prank(operator);
        vm.expectRevert(abi.encodeWithSelector(PlatformWallet.FeeTooHigh.selector, highest));
        wallet.payWithDollars("a", address(token), founder, contributor, 95e18, 5e18, dollars, highest + excess);
        _payBoth("a", contributor, dollars, highest);
        vm.assertEq(wallet.accruedDollars(), highest);
        vm.assertEq(coin.balanceOf(contributor), dollars - highest);
    }

    function test_fees_goToTheTreasuryWhoeverCalls_andOnce() public {
        _fund("a", 20e6);
        _fund("b", 20e6);
        _payBoth("a", contributor, 20e6, 1e6);
        vm.prank(stranger);
        wallet.withdrawDollarFees();
        vm.assertEq(coin.balanceOf(treasury), 1e6);
        vm.assertEq(wallet.accruedDollars(), 0);
        vm.expectRevert(PlatformWallet.ZeroAmount.selector);
        wallet.withdrawDollarFees();
        vm.assertEq(coin.balanceOf(address(wallet)), 20e6);
    }

    function test_blockedTreasury_stopsNobody_andItsFeesWait() public {
        _block(treasury);
        _fund("a", 20e6);
        _payBoth("a", contributor, 20e6, 1e6);
        vm.expectRevert(PlatformWallet.TransferFailed.selector);
        wallet.withdrawDollarFees();
        vm.assertEq(wallet.accruedDollars(), 1e6);
        _unblock(treasury);
        wallet.withdrawDollarFees();
        vm.assertEq(coin.balanceOf(treasury), 1e6);
    }

    function test_blockedContributorAndPausedCoin_moveNothing_andThePaymentCanBeRepeated() public {
        _fund("a", 20e6);
        _block(contributor);
        _assertNothingMoves();
        _unblock(contributor);
        vm.prank(issuer);
        coin.pause();
        _assertNothingMoves();
        vm.prank(issuer);
        coin.unpause();
        _payBoth("a", contributor, 20e6, 1e6);
    }

    function test_missingTokens_moveNoDollars() public {
        _fund("a", 20e6);
        vm.prank(operator);
        vm.expectRevert(ERC20.InsufficientAllowance.selector);
        wallet.payWithDollars("a", address(token), founder, contributor, RESERVE, 1, 20e6, 0);
        _assertState("a", PlatformWallet.State.Funded);
        vm.assertEq(coin.balanceOf(contributor), 0);
    }

    function test_dollarCap_isThereFromTheStart_andCountsWhatIsPaidWithItsFee() public {
        vm.assertEq(wallet.dailyCap(address(coin)), CAP);
        _fund("a", 3_000e6);
        _fund("b", 2_000e6 + 1);
        _fund("c", 2_000e6);
        _payBoth("a", contributor, 3_000e6, 600e6);
        vm.assertEq(wallet.spentToday(address(coin)), 3_000e6);
        vm.prank(operator);
        vm.expectRevert(abi.encodeWithSelector(PlatformWallet.DollarCapExceeded.selector, 2_000e6));
        wallet.payWithDollars("b", address(token), founder, contributor, 95e18, 5e18, 2_000e6 + 1, 0);
        _payBoth("c", contributor, 2_000e6, 0);
        vm.warp((block.timestamp / 1 days + 1) * 1 days);
        _payBoth("b", contributor, 2_000e6 + 1, 0);
    }

    function test_dollarCap_limitsNoRefundAndNoDeposit() public {
        _fund("a", CAP + 1);
        _refund("a", operator);
        vm.assertEq(coin.balanceOf(founder), 100_000e6);
        vm.assertEq(wallet.spentToday(address(coin)), 0);
    }

    function test_dollarCap_canBeChangedByTheOwnerAndNeverLifted() public {
        uint104[4] memory none = [uint104(0), 1 << 56, 5_000e18, type(uint104).max];
        vm.startPrank(owner);
        for (uint256 i; i < none.length; ++i) {
            vm.expectRevert(PlatformWallet.InvalidDollars.selector);
            wallet.setDailyCap(address(coin), none[i]);
        }
        vm.assertEq(wallet.dailyCap(address(coin)), CAP);
        vm.expectEmit(address(wallet));
        emit PlatformWallet.DailyCapSet(address(coin), CAP + 1);
        wallet.setDailyCap(address(coin), uint104(CAP + 1));
        vm.stopPrank();
        _fund("a", CAP + 1);
        _payBoth("a", contributor, CAP + 1, 0);
    }

    function test_dollarCap_ofZeroMakesNoWallet() public {
        vm.expectRevert(PlatformWallet.InvalidDollars.selector);
        new ProjectFactory(owner, treasury, 1000, 100, 1 ether, 100 ether, address(coin), 0);
    }

    function test_stolenOperatorKey_takesNoMoreDollarsThanTheCap() public {
        for (uint256 i; i < 4; ++i) _fund(bytes32(i), 2_000e6);
        for (uint256 i; i < 4; ++i) {
            vm.prank(operator);
            try wallet.payWithDollars(bytes32(i), address(token), founder, operator, 1, 0, 2_000e6, 0) {} catch {}
        }
        vm.assertEq(coin.balanceOf(operator), 4_000e6);
    }

    function _assertTokensAloneRefused() private {
        vm.prank(operator);
        vm.expectRevert(abi.encodeWithSelector(PlatformWallet.OtherDollars.selector, 20e6));
        wallet.pay("a", address(token), founder, contributor, 95e18, 5e18);
    }

    function _assertOtherDollars(bytes32 id, uint256 dollars, uint256 locked) private {
        vm.prank(operator);
        vm.expectRevert(abi.encodeWithSelector(PlatformWallet.OtherDollars.selector, locked));
        wallet.payWithDollars(id, address(token), founder, contributor, 95e18, 5e18, dollars, 0);
    }

    function _assertNothingMoves() private {
        vm.prank(operator);
        vm.expectRevert(PlatformWallet.TransferFailed.selector);
        wallet.payWithDollars("a", address(token), founder, contributor, 95e18, 5e18, 20e6, 1e6);
        _assertState("a", PlatformWallet.State.Funded);
        vm.assertFalse(wallet.paid("a"));
        vm.assertEq(token.balanceOf(contributor), 0);
        vm.assertEq(token.balanceOf(treasury), 0);
        vm.assertEq(wallet.accruedDollars(), 0);
        vm.assertEq(wallet.spentToday(address(coin)), 0);
    }

    function _assertTransfer(Vm.Log memory log, address emitter, address from, address to, uint256 amount) private pure {
        vm.assertEq(log.emitter, emitter);
        vm.assertEq(log.topics[0], ERC20.Transfer.selector);
        vm.assertEq(log.topics[1], bytes32(uint256(uint160(from))));
        vm.assertEq(log.topics[2], bytes32(uint256(uint160(to))));
        vm.assertEq(abi.decode(log.data, (uint256)), amount);
    }
}

/// @dev A wallet that was made with a coin that does not keep its word.
contract BadCoinTest is Dollars {
    BadCoin private bad;

    function _makeDollar() internal override returns (address) {
        bad = new BadCoin();
        return address(bad);
    }

    function _mint(address to, uint256 amount) internal override {
        bad.mint(to, amount);
    }

    function test_coinThatKeepsAPart_isNotLocked() public {
        bad.keep(1);
        _assertNotLocked();
    }

    function test_coinThatOnlySaysItMoved_isNotLocked() public {
        bad.lie(true);
        _assertNotLocked();
    }

    function test_coinThatRefusesLater_movesNothing() public {
        _fund("a", 20e6);
        _fund("b", 20e6);
        _payBoth("b", contributor, 20e6, 1e6);
        bad.lie(true);
        vm.startPrank(operator);
        vm.expectRevert(PlatformWallet.TransferFailed.selector);
        wallet.payWithDollars("a", address(token), founder, stranger, 95e18, 5e18, 20e6, 1e6);
        vm.expectRevert(PlatformWallet.TransferFailed.selector);
        wallet.refund("a");
        vm.expectRevert(PlatformWallet.TransferFailed.selector);
        wallet.withdrawDollarFees();
        vm.stopPrank();
        _assertState("a", PlatformWallet.State.Funded);
        vm.assertEq(token.balanceOf(stranger), 0);
        vm.assertEq(wallet.accruedDollars(), 1e6);
    }

    function _assertNotLocked() private {
        vm.prank(operator);
        vm.expectRevert(PlatformWallet.InvalidDollars.selector);
        wallet.fund("a", address(token), 20e6, soon, "");
        _assertState("a", PlatformWallet.State.None);
        vm.assertEq(bad.balanceOf(founder), 100_000e6);
    }
}
