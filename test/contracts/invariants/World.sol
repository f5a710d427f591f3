// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {FixedPointMathLib} from "solady/src/utils/FixedPointMathLib.sol";
import {BondingCurve} from "../../../server/money/chain/contracts/BondingCurve.sol";
import {PlatformWallet} from "../../../server/money/chain/contracts/PlatformWallet.sol";
import {ProjectFactory} from "../../../server/money/chain/contracts/ProjectFactory.sol";
import {ProjectToken} from "../../../server/money/chain/contracts/ProjectToken.sol";
import {Reenterer} from "../support/Accounts.sol";
import {Signatures} from "../support/Signatures.sol";

/// @dev Projects of every size and shape, the people who act on them, and what an observer writes down. The observer
/// computes prices on its own and notes breaches by the property they break; the invariants read the notes.
abstract contract World is Signatures {
    struct Terms {
        uint256 reserveBps;
        uint256 feeBps;
        uint256 startFdv;
        uint256 endFdv;
    }

    struct Project {
        PlatformWallet wallet;
        ProjectToken token;
        BondingCurve curve;
        Terms terms;
        uint256 supply;
        uint256 reserve;
        // What the observer added up.
        uint256 feesAccrued;
        uint256 feesWithdrawn;
        uint256 paidOut;
        uint256 lastSold;
        uint256 lastPrice;
    }

    struct Breaches {
        uint256 refusedSales;
        uint256 wrongPrices;
        uint256 freeTrades;
        uint256 profitableRoundTrips;
        uint256 cheaperSplits;
        uint256 fallingPrices;
        uint256 refusedPurchases;
        uint256 escapedReserves;
        uint256 brokenPayouts;
        uint256 tamperings;
        uint256 forgedPermits;
        uint256 forgedAuthorizations;
        uint256 brokenAuthorizations;
        uint256 pricesMovedByGifts;
        uint256 refusedWithdrawals;
    }

    uint256 internal constant LATER = type(uint256).max;
    uint256 internal constant PURSE = 1e30;

    address internal owner = _account("owner");
    address internal treasury = _account("treasury");
    address internal operator = _account("operator");
    address internal founder = _account("founder");
    Reenterer internal reenterer;

    Project[] internal projects;
    address[] internal people;
    Breaches internal _breaches;
    bytes32[] internal paidIds;

    constructor() {
        vm.warp(1_800_000_000);
        reenterer = new Reenterer();
        people = [founder, _account("buyer 1"), _account("buyer 2"), _account("buyer 3")];
        people.push(_account("contributor 1"));
        people.push(_account("contributor 2"));
        people.push(address(reenterer));
        ProjectFactory usual = _factory(Terms(1000, 100, 1 ether, 100 ether));
        _project(usual, 1_000_000, Terms(1000, 100, 1 ether, 100 ether));
        _project(usual, 1, Terms(1000, 100, 1 ether, 100 ether));
        ProjectFactory steep = _factory(Terms(5000, 1000, 1e15, 1e27));
        _project(steep, 1, Terms(5000, 1000, 1e15, 1e27));
        _project(steep, 1e12, Terms(5000, 1000, 1e15, 1e27));
        _project(_factory(Terms(0, 0, 1e15, 1e15)), 1e12, Terms(0, 0, 1e15, 1e15));
    }

    function breaches() external view returns (Breaches memory) {
        return _breaches;
    }

    function projectCount() external view returns (uint256) {
        return projects.length;
    }

    function project(uint256 index) external view returns (Project memory) {
        return projects[index];
    }

    function holders() external view returns (address[] memory all) {
        all = new address[](people.length + 1);
        for (uint256 i; i < people.length; ++i) all[i] = people[i];
        all[people.length] = treasury;
    }

    function founderAddress() external view returns (address) {
        return founder;
    }

    function reenteredCalls() external view returns (uint256) {
        return reenterer.breaches();
    }

    /// @dev Cost of [from, from + amount) by the documented formula, in its own words.
    function _cost(Project storage p, uint256 from, uint256 amount, bool up) internal view returns (uint256) {
        uint256 forSale = p.supply - p.reserve;
        uint256 rise = p.terms.endFdv - p.terms.startFdv;
        uint256 weight = p.terms.startFdv * 2 * forSale + rise * (from + from + amount);
        uint256 scale = p.supply * 2 * forSale;
        return up
            ? FixedPointMathLib.fullMulDivUp(weight, amount, scale)
            : FixedPointMathLib.fullMulDiv(weight, amount, scale);
    }

    function _feeOn(Project storage p, uint256 value) internal view returns (uint256) {
        return (value * p.terms.feeBps + 9999) / 10_000;
    }

    /// @dev How many curves hold less ether than the fees they owe and the price of everything they sold.
    function uncoveredCurves() external view returns (uint256 count) {
        for (uint256 i; i < projects.length; ++i) {
            Project storage p = projects[i];
            BondingCurve curve = p.curve;
            uint256 owed = _cost(p, 0, curve.sold(), true) + curve.accruedFees();
            if (address(curve).balance < owed) ++count;
        }
    }

    /// @dev Notes the price and compares it with the last one noted.
    function _observePrice(Project storage p) internal {
        uint256 sold = p.curve.sold();
        uint256 price = p.curve.price();
        if (sold > p.lastSold && price < p.lastPrice) ++_breaches.fallingPrices;
        if (sold < p.lastSold && price > p.lastPrice) ++_breaches.fallingPrices;
        if (sold == p.lastSold && price != p.lastPrice) ++_breaches.fallingPrices;
        p.lastSold = sold;
        p.lastPrice = price;
    }

    /// @dev What a holder may move: all but the founder's reserve.
    function _free(Project storage p, address who) internal view returns (uint256) {
        uint256 balance = p.token.balanceOf(who);
        return who == founder ? FixedPointMathLib.zeroFloorSub(balance, p.token.bountyReserve()) : balance;
    }

    function _pick(uint256 seed) internal view returns (Project storage) {
        return projects[seed % projects.length];
    }

    function _person(uint256 seed) internal view returns (address) {
        return people[seed % people.length];
    }

    function _factory(Terms memory terms) private returns (ProjectFactory factory) {
        factory =
            new ProjectFactory(
                owner, treasury, terms.reserveBps, terms.feeBps, terms.startFdv, terms.endFdv, address(0), 0
            );
        PlatformWallet wallet = factory.platformWallet();
        vm.prank(owner);
        wallet.setOperator(operator, true);
    }

    function _project(ProjectFactory factory, uint256 tokens, Terms memory terms) private {
        (address token, address curve) =
            factory.create(bytes32(projects.length), "Project", "PRJ", tokens * 1e18, founder);
        Project storage p = projects.push();
        p.wallet = factory.platformWallet();
        p.token = ProjectToken(token);
        p.curve = BondingCurve(curve);
        p.terms = terms;
        p.supply = tokens * 1e18;
        p.reserve = p.supply * terms.reserveBps / 10_000;
        p.lastPrice = p.curve.price();
    }
}
