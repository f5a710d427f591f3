// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "solady/src/tokens/ERC20.sol";
import {Owned} from "../../server/money/chain/contracts/Owned.sol";
import {PlatformWallet} from "../../server/money/chain/contracts/PlatformWallet.sol";
import {ProjectFactory} from "../../server/money/chain/contracts/ProjectFactory.sol";
import {Marketplace} from "./support/Marketplace.sol";
import {Vm} from "./support/Vm.sol";

contract PlatformWalletTest is Marketplace {
    function test_pay_emitsExactlyPaidAndTwoTransfers() public {
        vm.recordLogs();
        _pay("a", contributor, 95e18, 5e18);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        vm.assertEq(logs.length, 3);
        vm.assertEq(logs[0].topics[0], PlatformWallet.Paid.selector);
        _assertTransfer(logs[1], contributor, 95e18);
        _assertTransfer(logs[2], treasury, 5e18);
    }

    function test_pay_skipsTheFeeLegWithoutFee() public {
        vm.recordLogs();
        _pay("a", contributor, 95e18, 0);
        vm.assertEq(vm.getRecordedLogs().length, 2);
        vm.assertEq(token.balanceOf(treasury), 0);
    }

    function test_pay_reachesBeyondTheReserveOnApproval() public {
        _buy(founder, 1000e18);
        vm.prank(founder);
        token.approve(address(wallet), RESERVE + 1000e18);
        vm.expectEmit(address(wallet));
        emit PlatformWallet.Paid("a", address(token), founder, contributor, RESERVE, 1000e18);
        _pay("a", contributor, RESERVE, 1000e18);
        vm.assertEq(token.balanceOf(founder), 0);
        vm.assertEq(token.allowance(founder, address(wallet)), 0);
    }

    function test_pay_refusesEverybodyButOperators() public {
        address[4] memory callers = [owner, founder, treasury, stranger];
        for (uint256 i; i < callers.length; ++i) {
            vm.prank(callers[i]);
            vm.expectRevert(PlatformWallet.NotOperator.selector);
            wallet.pay("a", address(token), founder, contributor, 1, 0);
        }
    }

    function test_pay_refusesASecondTime_whateverTheTerms() public {
        _pay("a", contributor, 95e18, 5e18);
        vm.startPrank(operator);
        vm.expectRevert(PlatformWallet.AlreadyPaid.selector);
        wallet.pay("a", address(token), founder, contributor, 95e18, 5e18);
        vm.expectRevert(PlatformWallet.AlreadyPaid.selector);
        wallet.pay("a", address(token), founder, stranger, 1, 0);
    }

    function test_pay_refusesNothing() public {
        vm.prank(operator);
        vm.expectRevert(PlatformWallet.ZeroAmount.selector);
        wallet.pay("a", address(token), founder, contributor, 0, 5);
    }

    function test_pay_refusesTheFounderAsRecipient() public {
        vm.prank(operator);
        vm.expectRevert(PlatformWallet.SelfPayment.selector);
        wallet.pay("a", address(token), founder, founder, 1, 0);
    }

    function test_pay_refusesTokensOfOthers(address other) public {
        vm.assume(other != address(token));
        vm.prank(operator);
        vm.expectRevert(PlatformWallet.UnknownToken.selector);
        wallet.pay("a", other, founder, contributor, 1, 0);
    }

    function test_pay_refusesEveryPayerButTheFounder() public {
        _buy(buyer, 100e18);
        vm.prank(buyer);
        token.approve(address(wallet), 100e18);
        vm.prank(operator);
        vm.expectRevert(abi.encodeWithSelector(PlatformWallet.NotFounder.selector, founder));
        wallet.pay("a", address(token), buyer, contributor, 1, 0);
    }

    function test_dailyCap_boundsADayAndStartsAnew() public {
        _pay("before", contributor, 1000e18, 0);
        vm.expectEmit(address(wallet));
        emit PlatformWallet.DailyCapSet(address(token), 100e18);
        vm.prank(owner);
        wallet.setDailyCap(address(token), 100e18);
        vm.assertEq(wallet.dailyCap(address(token)), 100e18);
        vm.assertEq(wallet.spentToday(address(token)), 0);
        _pay("a", contributor, 57e18, 3e18);
        vm.assertEq(wallet.spentToday(address(token)), 60e18);
        vm.prank(operator);
        vm.expectRevert(abi.encodeWithSelector(PlatformWallet.DailyCapExceeded.selector, 40e18));
        wallet.pay("b", address(token), founder, contributor, 40e18, 1);
        _pay("b", contributor, 38e18, 2e18);
        vm.warp((block.timestamp / 1 days + 1) * 1 days - 1);
        vm.prank(operator);
        vm.expectRevert(abi.encodeWithSelector(PlatformWallet.DailyCapExceeded.selector, 0));
        wallet.pay("c", address(token), founder, contributor, 1, 0);
        vm.warp(block.timestamp + 1);
        vm.assertEq(wallet.spentToday(address(token)), 0);
        _pay("c", contributor, 100e18, 0);
    }

    function test_dailyCap_loweredBelowWhatWasSpentLeavesNothing() public {
        vm.startPrank(owner);
        wallet.setDailyCap(address(token), 100e18);
        vm.stopPrank();
        _pay("a", contributor, 60e18, 0);
        vm.prank(owner);
        wallet.setDailyCap(address(token), 50e18);
        vm.prank(operator);
        vm.expectRevert(abi.encodeWithSelector(PlatformWallet.DailyCapExceeded.selector, 0));
        wallet.pay("b", address(token), founder, contributor, 1, 0);
        vm.prank(owner);
        wallet.setDailyCap(address(token), 0);
        _pay("b", contributor, 1000e18, 0);
    }

    function test_dailyCap_raisedKeepsWhatWasSpentToday() public {
        vm.prank(owner);
        wallet.setDailyCap(address(token), 100e18);
        _pay("a", contributor, 60e18, 0);
        vm.prank(owner);
        wallet.setDailyCap(address(token), 110e18);
        vm.assertEq(wallet.spentToday(address(token)), 60e18);
        vm.prank(operator);
        vm.expectRevert(abi.encodeWithSelector(PlatformWallet.DailyCapExceeded.selector, 50e18));
        wallet.pay("b", address(token), founder, contributor, 50e18 + 1, 0);
        _pay("b", contributor, 50e18, 0);
    }

    /// @dev The day's number never repeats: not after as many days as a counter of 8, 16 or 24 bits holds.
    function test_dailyCap_startsAnewOnEveryLaterDay(uint256 later) public {
        uint256[5] memory gaps = [uint256(1), 256, 65_536, 1 << 24, _bound(later, 1, 1 << 30)];
        vm.prank(owner);
        wallet.setDailyCap(address(token), 100e18);
        uint256 today = block.timestamp;
        for (uint256 i; i < gaps.length; ++i) {
            uint256 state = vm.snapshotState();
            _pay("a", contributor, 100e18, 0);
            vm.warp(today + gaps[i] * 1 days);
            vm.assertEq(wallet.spentToday(address(token)), 0);
            _pay("b", contributor, 100e18, 0);
            vm.revertToState(state);
        }
    }

    function test_dailyCap_refusesWhatIsNoTokenOfTheFactory(address other) public {
        vm.assume(other != address(token));
        ProjectFactory elsewhere = new ProjectFactory(owner, treasury, 1000, 100, 1 ether, 100 ether, address(0), 0);
        vm.prank(operator);
        (address foreign,) = elsewhere.create(KEY, "Research Notes", "NOTES", SUPPLY, founder);
        address[7] memory none = [
            other, foreign, address(0), founder, address(curve), address(wallet), address(factory.tokenImplementation())
        ];
        vm.startPrank(owner);
        for (uint256 i; i < none.length; ++i) {
            vm.expectRevert(PlatformWallet.UnknownToken.selector);
            wallet.setDailyCap(none[i], 100e18);
            vm.assertEq(wallet.dailyCap(none[i]), 0);
        }
        vm.stopPrank();
    }

    function test_dailyCap_isPerToken() public {
        vm.prank(owner);
        wallet.setDailyCap(address(token), 1);
        (token,) = _create("other", SUPPLY);
        _pay("a", contributor, 1000e18, 0);
    }

    function test_dailyCap_neverLetsMoreThroughInADay(uint104 cap, uint96[8] calldata amounts) public {
        cap = uint104(_bound(cap, 1, RESERVE));
        vm.prank(owner);
        wallet.setDailyCap(address(token), cap);
        for (uint256 i; i < amounts.length; ++i) {
            vm.prank(operator);
            try wallet.pay(bytes32(i), address(token), founder, contributor, amounts[i], amounts[i] / 20) {} catch {}
        }
        uint256 moved = token.balanceOf(contributor) + token.balanceOf(treasury);
        vm.assertLe(moved, cap, "cap");
        vm.assertEq(wallet.spentToday(address(token)), moved);
    }

    function test_pay_takesAFeeOfAFifthAndNoMore(uint256 amount, uint256 excess) public {
        amount = _bound(amount, 1, RESERVE / 2);
        uint256 highest = amount / 4;
        vm.assertLe(highest * 5, amount + highest, "a fifth of both");
        vm.assertGt((highest + 1) * 5, amount + highest + 1, "the highest");
        excess = _bound(excess, 1, type(uint256).max - highest);
        vm.prank(operator);
        vm.expectRevert(abi.encodeWithSelector(PlatformWallet.FeeTooHigh.selector, highest));
        wallet.pay("a", address(token), founder, contributor, amount, highest + excess);
        _pay("a", contributor, amount, highest);
        vm.assertEq(token.balanceOf(treasury), highest);
    }

    function test_pause_isOpenToTheOwnerAndEveryOperator() public {
        vm.prank(owner);
        wallet.setOperator(stranger, true);
        address[3] memory callers = [owner, operator, stranger];
        for (uint256 i; i < callers.length; ++i) {
            vm.expectEmit(address(wallet));
            emit PlatformWallet.PausedSet(true);
            vm.prank(callers[i]);
            wallet.pause();
            vm.prank(operator);
            vm.expectRevert(PlatformWallet.PausedError.selector);
            wallet.pay("a", address(token), founder, contributor, 1, 0);
            vm.expectEmit(address(wallet));
            emit PlatformWallet.PausedSet(false);
            vm.prank(owner);
            wallet.unpause();
        }
        vm.prank(owner);
        wallet.setOperator(stranger, false);
        address[4] memory others = [stranger, founder, treasury, contributor];
        for (uint256 i; i < others.length; ++i) {
            vm.prank(others[i]);
            vm.expectRevert(PlatformWallet.NotOperator.selector);
            wallet.pause();
        }
        vm.assertFalse(wallet.paused());
    }

    function test_resign_removesTheCallerAlone() public {
        vm.prank(owner);
        wallet.setOperator(stranger, true);
        vm.expectEmit(address(wallet));
        emit PlatformWallet.OperatorSet(operator, false);
        vm.prank(operator);
        wallet.resign();
        vm.assertFalse(wallet.isOperator(operator));
        vm.assertTrue(wallet.isOperator(stranger));
        vm.startPrank(operator);
        vm.expectRevert(PlatformWallet.NotOperator.selector);
        wallet.pay("a", address(token), founder, contributor, 1, 0);
        vm.expectRevert(PlatformWallet.NotOperator.selector);
        wallet.pause();
        vm.expectRevert(PlatformWallet.NotOperator.selector);
        wallet.resign();
        vm.stopPrank();
        vm.prank(owner);
        wallet.setOperator(operator, true);
        _pay("a", contributor, 1, 0);
    }

    function test_setOperator_addsAndRemoves() public {
        vm.expectEmit(address(wallet));
        emit PlatformWallet.OperatorSet(stranger, true);
        vm.prank(owner);
        wallet.setOperator(stranger, true);
        vm.assertTrue(wallet.isOperator(stranger));
        vm.prank(stranger);
        wallet.pay("a", address(token), founder, contributor, 1, 0);
        vm.prank(owner);
        wallet.setOperator(stranger, false);
        vm.prank(stranger);
        vm.expectRevert(PlatformWallet.NotOperator.selector);
        wallet.pay("b", address(token), founder, contributor, 1, 0);
    }

    function test_setOperator_refusesZero() public {
        vm.prank(owner);
        vm.expectRevert(Owned.ZeroAddress.selector);
        wallet.setOperator(address(0), true);
    }

    function test_ownersFunctionsRefuseEverybodyElse() public {
        address[4] memory callers = [operator, founder, treasury, stranger];
        for (uint256 i; i < callers.length; ++i) {
            vm.startPrank(callers[i]);
            vm.expectRevert(Owned.NotOwner.selector);
            wallet.setOperator(callers[i], true);
            vm.expectRevert(Owned.NotOwner.selector);
            wallet.setDailyCap(address(token), 0);
            vm.expectRevert(Owned.NotOwner.selector);
            wallet.unpause();
            vm.expectRevert(Owned.NotOwner.selector);
            wallet.transferOwnership(callers[i]);
            vm.expectRevert(Owned.NotPendingOwner.selector);
            wallet.acceptOwnership();
            vm.stopPrank();
        }
    }

    function test_ownership_isHandedOverInTwoSteps() public {
        vm.expectEmit(address(wallet));
        emit Owned.OwnershipTransferStarted(owner, stranger);
        vm.prank(owner);
        wallet.transferOwnership(stranger);
        vm.assertEq(wallet.owner(), owner);
        vm.assertEq(wallet.pendingOwner(), stranger);
        vm.expectEmit(address(wallet));
        emit Owned.OwnershipTransferred(owner, stranger);
        vm.prank(stranger);
        wallet.acceptOwnership();
        vm.assertEq(wallet.owner(), stranger);
        vm.assertEq(wallet.pendingOwner(), address(0));
        vm.prank(owner);
        vm.expectRevert(Owned.NotOwner.selector);
        wallet.unpause();
    }

    function test_ownership_offerCanBeTakenBack() public {
        vm.startPrank(owner);
        wallet.transferOwnership(stranger);
        wallet.transferOwnership(address(0));
        vm.stopPrank();
        vm.prank(stranger);
        vm.expectRevert(Owned.NotPendingOwner.selector);
        wallet.acceptOwnership();
    }

    function _assertTransfer(Vm.Log memory log, address to, uint256 amount) private view {
        vm.assertEq(log.emitter, address(token));
        vm.assertEq(log.topics[0], ERC20.Transfer.selector);
        vm.assertEq(log.topics[1], bytes32(uint256(uint160(founder))));
        vm.assertEq(log.topics[2], bytes32(uint256(uint160(to))));
        vm.assertEq(abi.decode(log.data, (uint256)), amount);
    }
}
