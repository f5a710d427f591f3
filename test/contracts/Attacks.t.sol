// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "solady/src/tokens/ERC20.sol";
import {SafeTransferLib} from "solady/src/utils/SafeTransferLib.sol";
import {BondingCurve} from "../../server/money/chain/contracts/BondingCurve.sol";
import {PlatformWallet} from "../../server/money/chain/contracts/PlatformWallet.sol";
import {ProjectFactory} from "../../server/money/chain/contracts/ProjectFactory.sol";
import {ForcedGift, Observer, Reenterer, Refuser} from "./support/Accounts.sol";
import {Marketplace} from "./support/Marketplace.sol";

contract AttacksTest is Marketplace {
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
        factory = new ProjectFactory(owner, address(refuser), 1000, 100, 1 ether, 100 ether, address(0), 0);
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

    function test_reentrantReceiverOfFees_getsNothingIn() public {
        Reenterer reenterer = new Reenterer();
        factory = new ProjectFactory(owner, address(reenterer), 1000, 100, 1 ether, 100 ether, address(0), 0);
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
