// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {PlatformWallet} from "../../../server/money/chain/contracts/PlatformWallet.sol";
import {Traders} from "./Traders.sol";

/// @dev The operator pays, once and again; the founder approves; the owner caps and pauses.
abstract contract Payers is Traders {
    struct Balances {
        uint256 payer;
        uint256 recipient;
        uint256 treasury;
    }

    function pay(uint256 which, uint256 to, uint256 seed, uint256 feeSeed) external {
        Project storage p = _pick(which);
        uint256 most = p.token.allowance(founder, address(p.wallet));
        uint256 balance = p.token.balanceOf(founder);
        if (balance < most) most = balance;
        if (most == 0) return;
        uint256 amount = _spread(seed, 1, most);
        uint256 fee = _bound(feeSeed, 0, amount / 4 < most - amount ? amount / 4 : most - amount);
        address recipient = _recipient(to);
        bytes32 id = keccak256(abi.encode(address(p.wallet), paidIds.length));
        if (_attempt(p, id, recipient, amount, fee)) {
            p.paidOut += amount + fee;
            paidIds.push(id);
        } else {
            ++_breaches.brokenPayouts;
        }
    }

    /// @dev Within the highest fee; the operator takes one base unit more.
    function payTooHighAFee(uint256 which, uint256 to, uint256 seed) external {
        Project storage p = _pick(which);
        uint256 most = p.token.bountyReserve();
        if (most < 2) return;
        uint256 amount = _spread(seed, 1, most / 2);
        bytes32 id = keccak256(abi.encode("high fee", address(p.wallet), paidIds.length));
        if (_attempt(p, id, _recipient(to), amount, amount / 4 + 1)) ++_breaches.brokenPayouts;
    }

    /// @dev The first leg alone would pass; with the fee it exceeds balance or allowance.
    function payTooMuch(uint256 which, uint256 to, uint256 seed) external {
        Project storage p = _pick(which);
        uint256 most = p.token.allowance(founder, address(p.wallet));
        uint256 balance = p.token.balanceOf(founder);
        if (balance < most) most = balance;
        // Not below four fifths, so that the fee is not what is refused.
        uint256 amount = most < 2 ? 1 : _spread(seed, most - most / 5, most);
        bytes32 id = keccak256(abi.encode("too much", address(p.wallet), paidIds.length));
        if (_attempt(p, id, _recipient(to), amount, most - (amount > most ? most : amount) + 1)) {
            ++_breaches.brokenPayouts;
        }
    }

    function payAgain(uint256 which, uint256 index, uint256 to, uint256 amount) external {
        if (paidIds.length == 0) return;
        Project storage p = _pick(which);
        bytes32 id = paidIds[index % paidIds.length];
        if (!p.wallet.paid(id)) return;
        vm.prank(operator);
        try p.wallet.pay(id, address(p.token), founder, _recipient(to), _bound(amount, 1, 1e18), 0) {
            ++_breaches.brokenPayouts;
        } catch {}
    }

    function payWhilePaused(uint256 which, uint256 to) external {
        Project storage p = _pick(which);
        vm.prank(owner);
        p.wallet.pause();
        if (_attempt(p, keccak256(abi.encode("paused", paidIds.length)), _recipient(to), 1, 0)) {
            ++_breaches.brokenPayouts;
        }
        vm.prank(owner);
        p.wallet.unpause();
    }

    function payUnderACap(uint256 which, uint256 to, uint256 capSeed) external {
        Project storage p = _pick(which);
        uint256 most = p.token.bountyReserve();
        if (most < 2) return;
        uint256 cap = _spread(capSeed, 1, most - 1);
        vm.warp(block.timestamp + 1 days);
        vm.prank(owner);
        p.wallet.setDailyCap(address(p.token), uint104(cap));
        bytes32 id = keccak256(abi.encode(address(p.wallet), paidIds.length));
        if (_attempt(p, id, _recipient(to), cap, 1)) ++_breaches.brokenPayouts;
        if (_attempt(p, id, _recipient(to), cap, 0)) {
            p.paidOut += cap;
            paidIds.push(id);
        } else {
            ++_breaches.brokenPayouts;
        }
        if (_attempt(p, keccak256(abi.encode("over", id)), _recipient(to), 1, 0)) ++_breaches.brokenPayouts;
        vm.prank(owner);
        p.wallet.setDailyCap(address(p.token), 0);
    }

    function approvePlatform(uint256 which, uint256 seed) external {
        Project storage p = _pick(which);
        uint256 amount = _spread(seed, 0, 2 * p.supply);
        uint256 reserve = p.token.bountyReserve();
        uint256 before = p.token.allowance(founder, address(p.wallet));
        vm.prank(founder);
        try p.token.approve(address(p.wallet), amount) {
            if (amount < reserve) ++_breaches.escapedReserves;
            if (p.token.allowance(founder, address(p.wallet)) != amount) ++_breaches.escapedReserves;
        } catch {
            if (amount >= reserve) ++_breaches.escapedReserves;
            if (p.token.allowance(founder, address(p.wallet)) != before) ++_breaches.escapedReserves;
        }
    }

    /// @dev Pays and checks both legs or neither; returns whether it was paid.
    function _attempt(Project storage p, bytes32 id, address to, uint256 amount, uint256 fee) private returns (bool) {
        Balances memory before = _balances(p, to);
        bool was = p.wallet.paid(id);
        vm.prank(operator);
        try p.wallet.pay(id, address(p.token), founder, to, amount, fee) {
            Balances memory now_ = _balances(p, to);
            bool whole = now_.payer + amount + fee == before.payer && now_.recipient == before.recipient + amount
                && now_.treasury == before.treasury + fee && p.wallet.paid(id) && !was;
            if (!whole) ++_breaches.brokenPayouts;
            return true;
        } catch {
            Balances memory now_ = _balances(p, to);
            bool untouched = now_.payer == before.payer && now_.recipient == before.recipient
                && now_.treasury == before.treasury && p.wallet.paid(id) == was;
            if (!untouched) ++_breaches.brokenPayouts;
            return false;
        }
    }

    function _balances(Project storage p, address to) private view returns (Balances memory) {
        return Balances(p.token.balanceOf(founder), p.token.balanceOf(to), p.token.balanceOf(treasury));
    }

    /// @dev Anybody but the founder.
    function _recipient(uint256 seed) private view returns (address) {
        return people[1 + seed % (people.length - 1)];
    }
}
