// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Test} from "../support/Test.sol";
import {Handler} from "./Handler.sol";
import {World} from "./World.sol";

/// @dev Asked after every one of the handler's calls, or, where a breach stays noted, after every tenth or hundredth.
contract InvariantsTest is Test {
    Handler internal handler;

    function setUp() public {
        handler = new Handler();
    }

    function targetContracts() public view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(handler);
    }

    function invariant_etherHeldCoversBuyingBackAllThatWasSold() public view {
        vm.assertEq(handler.uncoveredCurves(), 0);
    }

    /// forge-config: default.invariant.check-interval = 100
    function invariant_holdersCanAlwaysSellUpToSoldAtTheQuotedPrice() public view {
        vm.assertEq(handler.breaches().refusedSales, 0, "sale refused");
        vm.assertEq(handler.breaches().wrongPrices, 0, "wrong price");
    }

    /// forge-config: default.invariant.check-interval = 100
    function invariant_nothingIsBoughtOrSoldForNothing() public view {
        vm.assertEq(handler.breaches().freeTrades, 0);
    }

    /// forge-config: default.invariant.check-interval = 10
    function invariant_totalSupplyIsConstantAndAllAccountedFor() public view {
        address[] memory holders = handler.holders();
        for (uint256 i; i < handler.projectCount(); ++i) {
            World.Project memory p = handler.project(i);
            uint256 sum = p.token.balanceOf(address(p.curve));
            for (uint256 j; j < holders.length; ++j) sum += p.token.balanceOf(holders[j]);
            vm.assertEq(p.token.totalSupply(), p.supply, "total supply");
            vm.assertEq(sum, p.supply, "sum of balances");
            vm.assertEq(p.token.balanceOf(address(p.curve)), p.supply - p.reserve - p.curve.sold(), "curve's balance");
        }
    }

    /// forge-config: default.invariant.check-interval = 100
    function invariant_buyingThenSellingNeverProfits() public view {
        vm.assertEq(handler.breaches().profitableRoundTrips, 0);
    }

    /// forge-config: default.invariant.check-interval = 100
    function invariant_splittingATradeNeverPays() public view {
        vm.assertEq(handler.breaches().cheaperSplits, 0);
    }

    /// forge-config: default.invariant.check-interval = 100
    function invariant_priceFollowsSold() public view {
        vm.assertEq(handler.breaches().fallingPrices, 0);
    }

    /// forge-config: default.invariant.check-interval = 100
    function invariant_everythingForSaleCanBeBought() public view {
        vm.assertEq(handler.breaches().refusedPurchases, 0);
    }

    /// forge-config: default.invariant.check-interval = 10
    function invariant_reserveLeavesTheFounderOnlyThroughPay() public view {
        vm.assertEq(handler.breaches().escapedReserves, 0, "escape");
        address founder = handler.founderAddress();
        for (uint256 i; i < handler.projectCount(); ++i) {
            World.Project memory p = handler.project(i);
            uint256 left = p.paidOut < p.reserve ? p.reserve - p.paidOut : 0;
            vm.assertEq(p.token.bountyReserve(), left, "reserve");
            vm.assertGe(p.token.balanceOf(founder), left, "balance");
            vm.assertGe(p.token.allowance(founder, address(p.wallet)), left, "allowance");
        }
    }

    /// forge-config: default.invariant.check-interval = 100
    function invariant_eachPayoutOnceAndBothLegsOrNone() public view {
        vm.assertEq(handler.breaches().brokenPayouts, 0);
    }

    /// forge-config: default.invariant.check-interval = 10
    function invariant_feesPaidAreFeesAccrued() public view {
        vm.assertEq(handler.breaches().refusedWithdrawals, 0, "withdrawal refused");
        for (uint256 i; i < handler.projectCount(); ++i) {
            World.Project memory p = handler.project(i);
            vm.assertEq(p.curve.accruedFees() + p.feesWithdrawn, p.feesAccrued, "fees");
        }
    }

    /// forge-config: default.invariant.check-interval = 10
    function invariant_nobodyChangesParametersOrSetsUpAgain() public view {
        vm.assertEq(handler.breaches().tamperings, 0, "tampering");
        vm.assertEq(handler.reenteredCalls(), 0, "reentrancy");
        for (uint256 i; i < handler.projectCount(); ++i) {
            World.Project memory p = handler.project(i);
            vm.assertEq(p.curve.feeBps(), p.terms.feeBps, "fee");
            vm.assertEq(p.curve.startFdv(), p.terms.startFdv, "start");
            vm.assertEq(p.curve.endFdv(), p.terms.endFdv, "end");
            vm.assertEq(p.curve.forSale(), p.supply - p.reserve, "for sale");
            vm.assertEq(p.token.founder(), handler.founderAddress());
            vm.assertEq(p.token.curve(), address(p.curve));
        }
    }

    /// forge-config: default.invariant.check-interval = 100
    function invariant_permitsCannotBeForgedOrReplayed() public view {
        vm.assertEq(handler.breaches().forgedPermits, 0);
    }

    /// forge-config: default.invariant.check-interval = 100
    function invariant_authorizationsCannotBeForgedOrReplayed() public view {
        vm.assertEq(handler.breaches().forgedAuthorizations, 0);
    }

    /// forge-config: default.invariant.check-interval = 100
    function invariant_authorizationsDoExactlyWhatWasSigned() public view {
        vm.assertEq(handler.breaches().brokenAuthorizations, 0);
    }

    /// forge-config: default.invariant.check-interval = 100
    function invariant_giftsMoveNoPrice() public view {
        vm.assertEq(handler.breaches().pricesMovedByGifts, 0);
    }
}

/// @dev At the end of every run all holders sell all they can, in a random order and in random pieces.
contract BankRunTest is Test {
    Handler internal handler;

    function setUp() public {
        handler = new Handler();
    }

    function targetContracts() public view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(handler);
    }

    /// forge-config: default.invariant.check-interval = 100
    function invariant_bankRunIsServedInAnyOrderAndSplit() public view {
        vm.assertEq(handler.breaches().refusedSales, 0);
    }

    function afterInvariant() public {
        address[] memory holders = handler.holders();
        for (uint256 i; i < handler.projectCount(); ++i) {
            World.Project memory p = handler.project(i);
            uint256 random = uint256(keccak256(abi.encode(p.curve.sold(), address(p.curve).balance)));
            for (uint256 round; round < 3; ++round) {
                for (uint256 j; j < holders.length; ++j) {
                    random = uint256(keccak256(abi.encode(random)));
                    _sellPart(p, holders[(random >> 128) % holders.length], round == 2 ? 0 : random);
                }
            }
            for (uint256 j; j < holders.length; ++j) _sellPart(p, holders[j], 0);
            for (uint256 j; j < holders.length; ++j) {
                vm.assertEq(p.curve.maxSell(holders[j]), 0, "somebody is left behind");
            }
            vm.assertGe(address(p.curve).balance, p.curve.accruedFees(), "fees");
        }
    }

    /// @dev Sells all for zero, else a random part.
    function _sellPart(World.Project memory p, address holder, uint256 random) private {
        uint256 most = p.curve.maxSell(holder);
        if (most == 0) return;
        uint256 amount = random == 0 ? most : most - _bound(random, 0, most - 1) / 2;
        uint256 before = holder.balance;
        try p.curve.quoteSell(amount) returns (uint256 quoted, uint256) {
            vm.prank(holder);
            p.curve.sell(amount, quoted, holder, type(uint256).max);
            vm.assertEq(holder.balance, before + quoted, "paid as quoted");
        } catch {
            // Only a part so small that it is worth nothing.
            vm.assertLt(amount, most, "maxSell refused");
        }
    }
}
