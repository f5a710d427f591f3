// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "solady/src/tokens/ERC20.sol";
import {SafeTransferLib} from "solady/src/utils/SafeTransferLib.sol";
import {BondingCurve} from "../../server/chain/contracts/BondingCurve.sol";
import {PlatformWallet} from "../../server/chain/contracts/PlatformWallet.sol";
import {ProjectFactory} from "../../server/chain/contracts/ProjectFactory.sol";
import {ProjectToken} from "../../server/chain/contracts/ProjectToken.sol";
import {ForcedGift, Observer, Reenterer, Refuser} from "./support/Accounts.sol";
import {Marketplace} from "./support/Marketplace.sol";

contract AttacksTest is Marketplace {
    function test_sandwich_ofAPurchaseStopsAtMaxIn() public {
        (uint256 quoted,) = curve.quoteBuy(1000e18);
        _buy(stranger, 50_000e18);
        vm.prank(buyer);
        vm.expectRevert();
        curve.buy{value: 10 ether}(1000e18, quoted * 101 / 100, buyer, LATER);
        vm.assertEq(buyer.balance, 1000 ether);
    }

    function test_sandwich_gainsTheAttackerNoMoreThanTheVictimsTolerance(uint256 amount, uint256 front) public {
        amount = _bound(amount, 1e18, 100_000e18);
        (uint256 quoted,) = curve.quoteBuy(amount);
        uint256 limit = quoted * 101 / 100;
        uint256 before = stranger.balance;
        front = _bound(front, 1e18, 10_000e18);
        _buy(stranger, front);
        vm.prank(buyer);
        try curve.buy{value: limit}(amount, limit, buyer, LATER) {} catch {}
        _sell(stranger, front);
        vm.assertGe(buyer.balance, 1000 ether - limit, "limit");
        vm.assertLe(stranger.balance, before + limit - quoted, "tolerance");
    }

    function test_sandwich_ofASaleStopsAtMinOut() public {
        _buy(stranger, 50_000e18);
        _buy(buyer, 1000e18);
        (uint256 quoted,) = curve.quoteSell(1000e18);
        _sell(stranger, 50_000e18);
        vm.prank(buyer);
        vm.expectRevert();
        curve.sell(1000e18, quoted * 99 / 100, buyer, LATER);
        vm.assertEq(token.balanceOf(buyer), 1000e18);
    }

    function test_withheldTradeExpires() public {
        _buy(buyer, 1000e18);
        uint256 deadline = block.timestamp + 60;
        vm.warp(deadline + 1);
        vm.startPrank(buyer);
        vm.expectRevert(BondingCurve.DeadlinePassed.selector);
        curve.buy{value: 1 ether}(1e18, 1 ether, buyer, deadline);
        vm.expectRevert(BondingCurve.DeadlinePassed.selector);
        curve.sell(1e18, 0, buyer, deadline);
        vm.stopPrank();
    }

    function test_approvalChange_canBeFrontRun_butNotThroughZero() public {
        _buy(buyer, 100e18);
        vm.prank(buyer);
        token.approve(stranger, 30e18);
        // Seeing the change to 20, the spender takes the 30 first: EIP-20's known race.
        vm.prank(stranger);
        token.transferFrom(buyer, stranger, 30e18);
        vm.prank(buyer);
        token.approve(stranger, 20e18);
        vm.prank(stranger);
        token.transferFrom(buyer, stranger, 20e18);
        vm.assertEq(token.balanceOf(stranger), 50e18);
        // Through zero the owner sees what was taken before granting anew.
        vm.prank(buyer);
        token.approve(stranger, 0);
        vm.prank(stranger);
        vm.expectRevert(ERC20.InsufficientAllowance.selector);
        token.transferFrom(buyer, stranger, 1);
    }

    function test_approvalOfPlatform_loweredBehindAPayoutNeverGrantsMoreThanItSays() public {
        _buy(founder, 1000e18);
        vm.startPrank(founder);
        token.approve(address(wallet), RESERVE + 500e18);
        vm.stopPrank();
        _pay("a", contributor, RESERVE + 200e18, 0);
        vm.prank(founder);
        token.approve(address(wallet), 100e18);
        vm.assertEq(token.allowance(founder, address(wallet)), 100e18);
        vm.prank(operator);
        vm.expectRevert(ERC20.InsufficientAllowance.selector);
        wallet.pay("b", address(token), founder, contributor, 100e18 + 1, 0);
    }

    function test_permit_sentFirstByAStrangerGrantsTheSame() public {
        (uint8 v, bytes32 r, bytes32 s) = _signPermit("founder", founder, address(wallet), RESERVE + 5e18, LATER);
        vm.prank(stranger);
        token.permit(founder, address(wallet), RESERVE + 5e18, LATER, v, r, s);
        vm.assertEq(token.allowance(founder, address(wallet)), RESERVE + 5e18);
    }

    function test_reserve_doesNotEscapeByTransfer() public {
        vm.startPrank(founder);
        vm.expectRevert(abi.encodeWithSelector(ProjectToken.ReserveLocked.selector, RESERVE));
        token.transfer(stranger, 1);
        token.approve(stranger, LATER);
        vm.stopPrank();
        vm.prank(stranger);
        vm.expectRevert(abi.encodeWithSelector(ProjectToken.ReserveLocked.selector, RESERVE));
        token.transferFrom(founder, stranger, 1);
    }

    function test_reserve_doesNotEscapeByPermit() public {
        (uint8 v, bytes32 r, bytes32 s) = _signPermit("founder", founder, stranger, LATER, LATER);
        token.permit(founder, stranger, LATER, LATER, v, r, s);
        vm.prank(stranger);
        vm.expectRevert(abi.encodeWithSelector(ProjectToken.ReserveLocked.selector, RESERVE));
        token.transferFrom(founder, stranger, 1);
    }

    function test_reserve_doesNotEscapeByBurning() public {
        vm.startPrank(founder);
        vm.expectRevert(ProjectToken.InvalidRecipient.selector);
        token.transfer(address(0), RESERVE);
        (bool burns,) = address(token).call(abi.encodeWithSignature("burn(uint256)", 1));
        vm.assertFalse(burns);
        vm.stopPrank();
    }

    function test_reserve_doesNotEscapeThroughTheCurve() public {
        _buy(buyer, 500_000e18);
        _buy(founder, 10e18);
        vm.startPrank(founder);
        vm.expectRevert(abi.encodeWithSelector(ProjectToken.ReserveLocked.selector, RESERVE));
        curve.sell(10e18 + 1, 0, founder, LATER);
        curve.sell(10e18, 0, founder, LATER);
        vm.stopPrank();
        vm.assertEq(token.balanceOf(founder), RESERVE);
    }

    function test_reserve_isNotFreedByTokensComingIn() public {
        _buy(buyer, 500e18);
        vm.prank(buyer);
        token.transfer(founder, 500e18);
        vm.prank(founder);
        vm.expectRevert(abi.encodeWithSelector(ProjectToken.ReserveLocked.selector, RESERVE));
        token.transfer(stranger, 500e18 + 1);
    }

    function test_squatting_nobodyElseReachesAnotherCallersAddress(address attacker, bytes32 key) public {
        vm.assume(attacker != operator || key != "wanted");
        (address token_, address curve_) = factory.predict(operator, "wanted");
        vm.prank(attacker);
        try factory.create(key, "N", "S", 1e18, founder) {} catch {}
        vm.assertEq(token_.code.length + curve_.code.length, 0);
    }

    function test_squatting_etherAtTheAddressesDoesNotStopTheProject() public {
        (address token_, address curve_) = factory.predict(operator, "wanted");
        new ForcedGift{value: 3 ether}(payable(curve_));
        vm.deal(token_, 2 ether);
        (token, curve) = _create("wanted", SUPPLY);
        vm.assertEq(curve.price(), 1 ether / 1_000_000);
        vm.assertEq(curve.accruedFees(), 0);
        _buy(buyer, 100e18);
        _sell(buyer, 100e18);
    }

    function test_forcedEther_movesNoPriceAndNobodyCanTakeIt() public {
        _buy(buyer, 100e18);
        (uint256 quoted,) = curve.quoteBuy(1e18);
        uint256 fees = curve.accruedFees();
        new ForcedGift{value: 50 ether}(payable(address(curve)));
        (uint256 after_,) = curve.quoteBuy(1e18);
        vm.assertEq(after_, quoted);
        vm.assertEq(curve.accruedFees(), fees);
        _sell(buyer, 100e18);
        curve.withdrawFees();
        vm.assertGe(address(curve).balance, 50 ether, "stays");
    }

    function test_tokensSentToAnotherProjectsCurveMoveNoPrice() public {
        (, BondingCurve other) = _create("other", SUPPLY);
        _buy(buyer, 100e18);
        uint256 price = other.price();
        vm.prank(buyer);
        token.transfer(address(other), 100e18);
        vm.assertEq(other.price(), price);
        vm.assertEq(other.sold(), 0);
        vm.assertEq(curve.sold(), 100e18);
    }

    function test_selfPayment_isCaughtForTheFoundersWalletOnly() public {
        vm.prank(operator);
        vm.expectRevert(PlatformWallet.SelfPayment.selector);
        wallet.pay("a", address(token), founder, founder, 1, 0);
        // A second wallet of the founder's is a stranger to the contract. The fee is what it costs.
        address alias_ = _account("founder's other wallet");
        _pay("b", alias_, 95e18, 5e18);
        vm.assertEq(token.balanceOf(alias_), 95e18);
    }

    function test_operatorRemovedMidFlight_paysNothing_andAnotherPaysOnce() public {
        vm.startPrank(owner);
        wallet.setOperator(stranger, true);
        wallet.setOperator(operator, false);
        vm.stopPrank();
        vm.prank(operator);
        vm.expectRevert(PlatformWallet.NotOperator.selector);
        wallet.pay("a", address(token), founder, contributor, 1e18, 0);
        vm.assertFalse(wallet.paid("a"));
        vm.prank(stranger);
        wallet.pay("a", address(token), founder, contributor, 1e18, 0);
        vm.prank(owner);
        wallet.setOperator(operator, true);
        vm.prank(operator);
        vm.expectRevert(PlatformWallet.AlreadyPaid.selector);
        wallet.pay("a", address(token), founder, contributor, 1e18, 0);
    }

    function test_stolenOperatorKey_takesNoMoreThanAllowanceAndCap() public {
        _buy(founder, 1000e18);
        _buy(buyer, 1000e18);
        vm.startPrank(operator);
        vm.expectRevert(abi.encodeWithSelector(PlatformWallet.NotFounder.selector, founder));
        wallet.pay("a", address(token), buyer, operator, 1, 0);
        vm.expectRevert(ERC20.InsufficientAllowance.selector);
        wallet.pay("a", address(token), founder, operator, RESERVE + 1, 0);
        wallet.pay("a", address(token), founder, operator, RESERVE, 0);
        vm.stopPrank();
        vm.assertEq(token.balanceOf(founder), 1000e18);
    }

    function test_revertingTreasury_blocksNobody() public {
        Refuser refuser = new Refuser();
        factory = new ProjectFactory(owner, address(refuser), 1000, 100, 1 ether, 100 ether);
        wallet = factory.platformWallet();
        vm.prank(owner);
        wallet.setOperator(operator, true);
        (token, curve) = _create(KEY, SUPPLY);
        _buy(buyer, 100e18);
        _sell(buyer, 50e18);
        _pay("a", contributor, 95e18, 5e18);
        vm.assertEq(token.balanceOf(address(refuser)), 5e18);
        uint256 fees = curve.accruedFees();
        vm.expectRevert(SafeTransferLib.ETHTransferFailed.selector);
        curve.withdrawFees();
        vm.assertEq(curve.accruedFees(), fees);
        _sell(buyer, 50e18);
    }

    function test_reentrantReceiver_getsNothingIn() public {
        Reenterer reenterer = new Reenterer();
        vm.deal(address(reenterer), 100 ether);
        reenterer.buy(curve, 1000e18, LATER, 10 ether);
        reenterer.sell(curve, 400e18, 0);
        vm.assertEq(reenterer.attempts(), 2);
        vm.assertEq(reenterer.breaches(), 0);
        vm.assertEq(token.balanceOf(address(reenterer)), 600e18);
    }

    function test_reentrantReceiverOfFees_getsNothingIn() public {
        Reenterer reenterer = new Reenterer();
        factory = new ProjectFactory(owner, address(reenterer), 1000, 100, 1 ether, 100 ether);
        (token, curve) = _create(KEY, SUPPLY);
        vm.deal(address(reenterer), 100 ether);
        reenterer.buy(curve, 1000e18, LATER, 1 ether);
        uint256 before = reenterer.attempts();
        curve.withdrawFees();
        vm.assertEq(reenterer.attempts(), before + 1);
        vm.assertEq(reenterer.breaches(), 0);
        vm.assertEq(token.balanceOf(address(reenterer)), 1000e18);
    }

    function test_viewsInARefund_countThePurchase() public {
        Observer observer = new Observer();
        vm.deal(address(observer), 100 ether);
        observer.buy(curve, 100_000e18, 10 ether);
        vm.assertEq(observer.payments(), 1);
        vm.assertEq(observer.sold(), 100_000e18);
        _assertObservedWhatHolds(observer);
    }

    function test_viewsInASalesPayment_countTheSale() public {
        Observer observer = new Observer();
        vm.deal(address(observer), 100 ether);
        (uint256 exact,) = curve.quoteBuy(100_000e18);
        observer.buy(curve, 100_000e18, exact);
        vm.assertEq(observer.payments(), 0);
        observer.sell(curve, 40_000e18);
        vm.assertEq(observer.payments(), 1);
        vm.assertEq(observer.sold(), 60_000e18);
        _assertObservedWhatHolds(observer);
    }

    function _assertObservedWhatHolds(Observer observer) private view {
        (uint256 cost,) = curve.quoteBuy(1e18);
        vm.assertEq(observer.sold(), curve.sold());
        vm.assertEq(observer.accruedFees(), curve.accruedFees());
        vm.assertEq(observer.price(), curve.price());
        vm.assertEq(observer.cost(), cost);
    }

    /// @dev The figures that the contracts' documentation states: buyers hold 10 % of the supply, and contributors sell
    /// what they were paid out of the reserve.
    function test_paidReserveTokens_canBeSoldIntoTheBuyersEther() public {
        uint8[3] memory sharePermille = [10, 50, 100];
        uint16[3] memory takenPermille = [uint16(176), 711, 1000];
        for (uint256 i; i < 3; ++i) {
            uint256 state = vm.snapshotState();
            _buy(buyer, 100_000e18);
            uint256 backing = address(curve).balance - curve.accruedFees();
            uint256 amount = SUPPLY / 1000 * sharePermille[i];
            _pay("a", contributor, amount, 0);
            (uint256 paid, uint256 fee) = curve.quoteSell(amount);
            _sell(contributor, amount);
            vm.assertEq((paid + fee) * 1000 / backing, takenPermille[i]);
            vm.revertToState(state);
        }
    }
}
