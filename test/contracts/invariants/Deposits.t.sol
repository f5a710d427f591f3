// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {PlatformWallet} from "../../../server/money/chain/contracts/PlatformWallet.sol";
import {Test} from "../support/Test.sol";
import {Depositor} from "./Depositor.sol";

/// @dev Asked after every tenth or hundredth call of the depositor.
contract DepositInvariantsTest is Test {
    struct FuzzSelector {
        address addr;
        bytes4[] selectors;
    }

    Depositor internal depositor;

    function setUp() public {
        depositor = new Depositor();
    }

    function targetContracts() public view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(depositor);
    }

    /// @dev Deposits and payments more often than the rest.
    function targetSelectors() public view returns (FuzzSelector[] memory targets) {
        targets = new FuzzSelector[](1);
        targets[0] = FuzzSelector(address(depositor), _calls());
    }

    /// forge-config: default.invariant.check-interval = 10
    function invariant_dollarsHeldCoverWhatIsLockedAndFees() public view {
        PlatformWallet wallet = depositor.walletOf();
        bytes32[] memory ids = depositor.ids();
        uint256 locked;
        for (uint256 i; i < ids.length; ++i) locked += wallet.deposit(ids[i]).dollars;
        vm.assertEq(locked, depositor.live(), "locked");
        vm.assertEq(wallet.accruedDollars(), depositor.fees(), "fees");
        vm.assertEq(depositor.held(), locked + depositor.fees() + depositor.gifts(), "held");
        vm.assertEq(depositor.breaches().withdrawals, 0, "withdrawals");
    }

    /// forge-config: default.invariant.check-interval = 10
    function invariant_dollarsOfABountyMoveOnce() public view {
        bytes32[] memory ids = depositor.ids();
        for (uint256 i; i < ids.length; ++i) {
            vm.assertLe(depositor.bountyOf(ids[i]).moves, 1, "moved again");
        }
        vm.assertEq(depositor.breaches().refunds, 0, "refunds");
        vm.assertEq(depositor.breaches().payments, 0, "payments");
    }

    /// forge-config: default.invariant.check-interval = 100
    function invariant_depositsAreTakenOnceAndGoForwardOnly() public view {
        vm.assertEq(depositor.breaches().deposits, 0, "deposits");
        vm.assertEq(depositor.breaches().stepsBack, 0, "steps back");
    }

    /// forge-config: default.invariant.check-interval = 100
    function invariant_dollarsAndTokensArePaidTogetherOrNotAtAll() public view {
        vm.assertEq(depositor.breaches().halfPayments, 0);
    }

    /// @dev What the invariants are asked after: calls of every outcome, none of them a breach.
    function test_depositor_meetsEveryOutcome() public {
        bytes4[] memory calls = _calls();
        uint256 random = 1;
        for (uint256 i; i < 600; ++i) {
            random = uint256(keccak256(abi.encode(random)));
            bytes memory arguments = abi.encode(random >> 8, random >> 40, random >> 80, random >> 120, random >> 160);
            (bool ok,) = address(depositor).call(abi.encodePacked(calls[random % calls.length], arguments));
            vm.assertTrue(ok, "the depositor itself failed");
        }
        Depositor.Outcomes memory met = depositor.outcomes();
        uint256[9] memory counts = abi.decode(abi.encode(met), (uint256[9]));
        for (uint256 i; i < counts.length; ++i) vm.assertGt(counts[i], 0, "an outcome was not met");
        invariant_dollarsHeldCoverWhatIsLockedAndFees();
        invariant_dollarsOfABountyMoveOnce();
        invariant_depositsAreTakenOnceAndGoForwardOnly();
        invariant_dollarsAndTokensArePaidTogetherOrNotAtAll();
    }

    function _calls() private view returns (bytes4[] memory calls) {
        calls = new bytes4[](10);
        calls[0] = depositor.fund.selector;
        calls[1] = depositor.fund.selector;
        calls[2] = depositor.fund.selector;
        calls[3] = depositor.pay.selector;
        calls[4] = depositor.pay.selector;
        calls[5] = depositor.refund.selector;
        calls[6] = depositor.withdrawFees.selector;
        calls[7] = depositor.waitAWhile.selector;
        calls[8] = depositor.pauseOrResume.selector;
        calls[9] = depositor.give.selector;
    }
}
