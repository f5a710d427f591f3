// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {BondingCurve} from "../../../server/money/chain/contracts/BondingCurve.sol";
import {World} from "./World.sol";

/// @dev Everybody trades: founder, buyers, paid contributors, and a contract that calls back from each payment.
abstract contract Traders is World {
    function buy(uint256 which, uint256 who, uint256 seed, uint256 extra) external {
        Project storage p = _pick(which);
        uint256 left = p.curve.forSale() - p.curve.sold();
        if (left == 0) return;
        _buy(p, _person(who), _spread(seed, 1, left), _bound(extra, 0, 1 ether));
        _observePrice(p);
    }

    function buyTheRest(uint256 which, uint256 who, uint256 last) external {
        Project storage p = _pick(which);
        address person = _person(who);
        uint256 left = p.curve.forSale() - p.curve.sold();
        if (left == 0) return;
        last = _spread(last, 1, left);
        if (last != left) _buy(p, person, left - last, 0);
        _buy(p, person, last, 0);
        if (p.token.balanceOf(address(p.curve)) != 0) ++_breaches.refusedPurchases;
        try p.curve.quoteBuy(1) {
            ++_breaches.freeTrades;
        } catch {}
        _observePrice(p);
    }

    function sell(uint256 which, uint256 who, uint256 seed) external {
        Project storage p = _pick(which);
        address person = _person(who);
        uint256 most = p.curve.maxSell(person);
        if (most == 0) return;
        uint256 amount = _spread(seed, 1, most);
        uint256 value = _cost(p, p.curve.sold() - amount, amount, false);
        // Dust that is worth nothing is refused.
        if (value <= _feeOn(p, value)) return _sellForNothing(p, person, amount);
        _sell(p, person, amount);
        _observePrice(p);
    }

    function sellAll(uint256 which, uint256 who) external {
        Project storage p = _pick(which);
        address person = _person(who);
        uint256 free = _free(p, person);
        uint256 sold = p.curve.sold();
        uint256 amount = free < sold ? free : sold;
        uint256 value = _cost(p, sold - amount, amount, false);
        if (value <= _feeOn(p, value)) return;
        if (p.curve.maxSell(person) != amount) ++_breaches.refusedSales;
        _sell(p, person, amount);
        _observePrice(p);
    }

    function roundTrip(uint256 which, uint256 who, uint256 seed, uint256 pieces) external {
        Project storage p = _pick(which);
        address person = _person(who);
        uint256 left = p.curve.forSale() - p.curve.sold();
        if (left == 0) return;
        uint256 amount = _spread(seed, 1, left);
        uint256 spent = _buy(p, person, amount, 0);
        pieces = _bound(pieces, 1, 5);
        uint256 earned;
        for (uint256 i = pieces; i > 0 && amount > 0; --i) {
            uint256 piece = i == 1 ? amount : amount / i;
            uint256 value = piece == 0 ? 0 : _cost(p, p.curve.sold() - piece, piece, false);
            if (value <= _feeOn(p, value)) continue;
            earned += _sell(p, person, piece);
            amount -= piece;
        }
        if (earned > spent) ++_breaches.profitableRoundTrips;
        _observePrice(p);
    }

    function splitPurchase(uint256 which, uint256 who, uint256 seed, uint256 cut) external {
        Project storage p = _pick(which);
        address person = _person(who);
        uint256 left = p.curve.forSale() - p.curve.sold();
        if (left < 2) return;
        uint256 amount = _spread(seed, 2, left);
        cut = _spread(cut, 1, amount - 1);
        uint256 whole;
        try p.curve.quoteBuy(amount) returns (uint256 ethIn, uint256) {
            whole = ethIn;
        } catch {
            ++_breaches.refusedPurchases;
        }
        // In two statements: Solidity does not fix the order of a sum's operands.
        uint256 parts = _buy(p, person, cut, 0);
        parts += _buy(p, person, amount - cut, 0);
        if (parts < whole) ++_breaches.cheaperSplits;
        _observePrice(p);
    }

    function splitSale(uint256 which, uint256 who, uint256 seed, uint256 cut) external {
        Project storage p = _pick(which);
        address person = _person(who);
        uint256 most = p.curve.maxSell(person);
        if (most < 2) return;
        uint256 amount = _spread(seed, 2, most);
        cut = _spread(cut, 1, amount - 1);
        uint256 sold = p.curve.sold();
        uint256 first = _cost(p, sold - cut, cut, false);
        uint256 second = _cost(p, sold - amount, amount - cut, false);
        if (first <= _feeOn(p, first) || second <= _feeOn(p, second)) return;
        uint256 whole = type(uint256).max;
        try p.curve.quoteSell(amount) returns (uint256 ethOut, uint256) {
            whole = ethOut;
        } catch {
            ++_breaches.refusedSales;
        }
        uint256 parts = _sell(p, person, cut);
        parts += _sell(p, person, amount - cut);
        if (parts > whole) ++_breaches.cheaperSplits;
        _observePrice(p);
    }

    function transfer(uint256 which, uint256 from, uint256 to, uint256 seed) external {
        Project storage p = _pick(which);
        address sender = _person(from);
        uint256 amount = _bound(seed, 0, _free(p, sender));
        vm.prank(sender);
        p.token.transfer(_person(to), amount);
    }

    function withdrawFees(uint256 which) external {
        Project storage p = _pick(which);
        if (p.feesAccrued == p.feesWithdrawn) return;
        uint256 before = treasury.balance;
        try p.curve.withdrawFees() {
            p.feesWithdrawn += treasury.balance - before;
        } catch {
            ++_breaches.refusedWithdrawals;
        }
    }

    function _buy(Project storage p, address person, uint256 amount, uint256 extra) internal returns (uint256 spent) {
        uint256 cost = _cost(p, p.curve.sold(), amount, true);
        uint256 fee = _feeOn(p, cost);
        vm.deal(person, PURSE);
        uint256 held = p.token.balanceOf(person);
        uint256 value = cost + fee + extra;
        bool bought;
        if (person == address(reenterer)) {
            try reenterer.buy(p.curve, amount, cost + fee, value) {
                bought = true;
            } catch {}
        } else {
            vm.prank(person);
            try p.curve.buy{value: value}(amount, cost + fee, person, block.timestamp) {
                bought = true;
            } catch {}
        }
        spent = PURSE - person.balance;
        if (!bought) ++_breaches.refusedPurchases;
        if (bought && spent != cost + fee) ++_breaches.wrongPrices;
        if (spent == 0 || p.token.balanceOf(person) != held + amount) ++_breaches.freeTrades;
        if (bought) p.feesAccrued += fee;
    }

    function _sell(Project storage p, address person, uint256 amount) internal returns (uint256 earned) {
        uint256 value = _cost(p, p.curve.sold() - amount, amount, false);
        uint256 fee = _feeOn(p, value);
        vm.deal(person, 0);
        uint256 held = p.token.balanceOf(person);
        bool sold;
        if (person == address(reenterer)) {
            try reenterer.sell(p.curve, amount, value - fee) {
                sold = true;
            } catch {}
        } else {
            vm.prank(person);
            try p.curve.sell(amount, value - fee, person, block.timestamp) {
                sold = true;
            } catch {}
        }
        earned = person.balance;
        if (!sold) ++_breaches.refusedSales;
        if (sold && earned != value - fee) ++_breaches.wrongPrices;
        if (sold && (earned == 0 || p.token.balanceOf(person) != held - amount)) ++_breaches.freeTrades;
        if (sold) p.feesAccrued += fee;
    }

    function _sellForNothing(Project storage p, address person, uint256 amount) private {
        vm.prank(person);
        try p.curve.sell(amount, 0, person, LATER) {
            ++_breaches.freeTrades;
        } catch {}
    }
}
