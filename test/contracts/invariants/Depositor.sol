// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {PlatformWallet} from "../../../server/money/chain/contracts/PlatformWallet.sol";
import {Dollars} from "../support/Dollars.sol";

/// @dev Founders, operators, outsiders, the owner and Circle act on deposits at random. The observer keeps account, says by
/// it of each call whether it may succeed, and notes what was otherwise.
contract Depositor is Dollars {
    struct Bounty {
        PlatformWallet.State state;
        uint256 dollars;
        uint256 until;
        // How often dollars have left the wallet for it.
        uint256 moves;
    }

    struct Breaches {
        uint256 deposits;
        uint256 refunds;
        uint256 payments;
        uint256 halfPayments;
        uint256 stepsBack;
        uint256 withdrawals;
    }

    struct Outcomes {
        uint256 deposits;
        uint256 refusedDeposits;
        uint256 payments;
        uint256 paymentsWithDollars;
        uint256 refusedPayments;
        uint256 refunds;
        uint256 refundsByAnybody;
        uint256 refusedRefunds;
        uint256 withdrawals;
    }

    Breaches internal _breaches;
    Outcomes internal _outcomes;
    mapping(bytes32 id => Bounty) internal _bounties;
    bytes32[] internal _ids;
    uint256 public live;
    uint256 public fees;
    uint256 public gifts;
    uint256 internal _spent;
    uint256 internal _day;

    constructor() {
        setUp();
        _mint(founder, 1e15);
    }

    function fund(uint256 which, uint256 amount, uint256 by, uint256 signed, uint256 mood) external {
        bytes32 id = _pick(which);
        amount = amount % 16 == 0 ? 0 : _bound(amount, 1, CAP / 2);
        soon = block.timestamp + 15 minutes;
        bytes memory consent = _consent(signed % 8 == 1 ? bytes32("another") : id, signed % 8 == 2 ? amount + 1 : amount);
        if (signed % 8 == 3) consent = _sign("founder", _dollarDigest(TRANSFER, _terms(id, amount)));
        address caller = by % 8 == 0 ? founder : by % 8 == 1 ? stranger : operator;
        bool may = caller == operator && _bounties[id].state == PlatformWallet.State.None && amount != 0
            && (signed % 8 == 0 || signed % 8 > 3) && _circleAllows(mood, founder, address(wallet));
        bool done = _call(caller, abi.encodeCall(PlatformWallet.fund, (id, address(token), amount, soon, consent)));
        _circleRelents();
        if (done != may) ++_breaches.deposits;
        if (!done) ++_outcomes.refusedDeposits;
        else {
            ++_outcomes.deposits;
            _bounties[id] = Bounty(PlatformWallet.State.Funded, amount, block.timestamp + LOCK, 0);
            live += amount;
        }
        _observe(id);
    }

    function pay(uint256 which, uint256 off, uint256 feeSeed, uint256 by, uint256 mood) external {
        bytes32 id = _pick(which);
        Bounty storage bounty = _bounties[id];
        uint256 locked = bounty.state == PlatformWallet.State.Funded ? bounty.dollars : 0;
        uint256 dollars = off % 8 == 0 ? 0 : off % 8 == 1 ? locked + 1 : locked;
        uint256 fee = feeSeed % 8 == 0 ? dollars / 5 + 1 : _bound(feeSeed, 0, dollars / 5);
        bool may = by % 8 != 0 && !wallet.paused() && bounty.state != PlatformWallet.State.Paid && dollars == locked;
        if (dollars != 0) {
            may = may && block.timestamp < bounty.until && fee <= dollars / 5 && _spentToday() + dollars <= CAP
                && _circleAllows(mood, contributor, address(wallet));
        }
        uint256 tokens = token.balanceOf(contributor);
        uint256 received = coin.balanceOf(contributor);
        bool done = _call(by % 8 == 0 ? founder : operator, _payment(id, dollars, fee));
        _circleRelents();
        if (done != may) ++_breaches.payments;
        tokens = token.balanceOf(contributor) - tokens;
        received = coin.balanceOf(contributor) - received;
        if (tokens != (done ? 95e16 : 0) || received != (done && dollars != 0 ? dollars - fee : 0)) {
            ++_breaches.halfPayments;
        }
        if (!done) ++_outcomes.refusedPayments;
        else _book(bounty, dollars, fee);
        _observe(id);
    }

    function refund(uint256 which, uint256 by, uint256 mood) external {
        bytes32 id = _pick(which);
        Bounty storage bounty = _bounties[id];
        address[4] memory callers = [operator, founder, contributor, stranger];
        address caller = callers[by % 4];
        bool may = bounty.state == PlatformWallet.State.Funded
            && (caller == operator || block.timestamp >= bounty.until) && _circleAllows(mood, founder, address(wallet));
        uint256 received = coin.balanceOf(founder);
        bool done = _call(caller, abi.encodeCall(PlatformWallet.refund, (id)));
        _circleRelents();
        if (done != may || coin.balanceOf(founder) - received != (done ? bounty.dollars : 0)) ++_breaches.refunds;
        if (!done) ++_outcomes.refusedRefunds;
        else {
            if (caller == operator) ++_outcomes.refunds;
            else ++_outcomes.refundsByAnybody;
            bounty.state = PlatformWallet.State.Refunded;
            ++bounty.moves;
            live -= bounty.dollars;
        }
        _observe(id);
    }

    function withdrawFees(uint256 mood) external {
        bool may = fees != 0 && _circleAllows(mood, treasury, address(wallet));
        uint256 received = coin.balanceOf(treasury);
        bool done = _call(stranger, abi.encodeCall(PlatformWallet.withdrawDollarFees, ()));
        _circleRelents();
        received = coin.balanceOf(treasury) - received;
        if (done != may || received != (done ? fees : 0)) ++_breaches.withdrawals;
        if (!done) return;
        ++_outcomes.withdrawals;
        fees = 0;
    }

    function waitAWhile(uint256 time) external {
        vm.warp(block.timestamp + _bound(time, 0, time % 4 == 0 ? LOCK : 2 days));
    }

    function pauseOrResume(uint256 which) external {
        bool paused = which % 4 == 0;
        _call(owner, paused ? abi.encodeCall(PlatformWallet.pause, ()) : abi.encodeCall(PlatformWallet.unpause, ()));
    }

    function give(uint256 amount) external {
        amount = _bound(amount, 1, 1e9);
        gifts += amount;
        _mint(address(wallet), amount);
    }

    function breaches() external view returns (Breaches memory) {
        return _breaches;
    }

    function outcomes() external view returns (Outcomes memory) {
        return _outcomes;
    }

    function ids() external view returns (bytes32[] memory) {
        return _ids;
    }

    function bountyOf(bytes32 id) external view returns (Bounty memory) {
        return _bounties[id];
    }

    function walletOf() external view returns (PlatformWallet) {
        return wallet;
    }

    function held() external view returns (uint256) {
        return coin.balanceOf(address(wallet));
    }

    /// @dev A bounty that was there before, or in one of four cases a new one.
    function _pick(uint256 which) private returns (bytes32 id) {
        if (which % 4 != 0 && _ids.length != 0) return _ids[(which >> 8) % _ids.length];
        id = keccak256(abi.encode(_ids.length));
        _ids.push(id);
    }

    /// @dev Circle blocks one of the parties or stops the coin, in three of sixteen cases. Whether a transfer is possible now.
    function _circleAllows(uint256 mood, address one, address other) private returns (bool) {
        if (mood % 16 == 0) _block(one);
        if (mood % 16 == 1) _block(other);
        if (mood % 16 == 2) {
            vm.prank(issuer);
            coin.pause();
        }
        return mood % 16 > 2;
    }

    function _circleRelents() private {
        _unblock(founder);
        _unblock(contributor);
        _unblock(treasury);
        _unblock(address(wallet));
        vm.prank(issuer);
        coin.unpause();
    }

    function _call(address caller, bytes memory data) private returns (bool done) {
        vm.prank(caller);
        (done,) = address(wallet).call(data);
    }

    function _payment(bytes32 id, uint256 dollars, uint256 fee) private view returns (bytes memory) {
        address project = address(token);
        if (dollars == 0) return abi.encodeCall(PlatformWallet.pay, (id, project, founder, contributor, 95e16, 5e16));
        return abi.encodeCall(
            PlatformWallet.payWithDollars, (id, project, founder, contributor, 95e16, 5e16, dollars, fee)
        );
    }

    function _book(Bounty storage paid, uint256 dollars, uint256 fee) private {
        paid.state = PlatformWallet.State.Paid;
        ++_outcomes.payments;
        if (dollars == 0) return;
        ++_outcomes.paymentsWithDollars;
        ++paid.moves;
        live -= dollars;
        fees += fee;
        _spent = _spentToday() + dollars;
        _day = block.timestamp / 1 days;
    }

    function _spentToday() private view returns (uint256) {
        return _day == block.timestamp / 1 days ? _spent : 0;
    }

    /// @dev The chain's state of a bounty, beside the observer's, which only goes forward.
    function _observe(bytes32 id) private {
        Bounty storage known = _bounties[id];
        PlatformWallet.Payout memory shown = wallet.deposit(id);
        bool isLocked = known.state == PlatformWallet.State.Funded;
        bool same = shown.state == known.state && wallet.paid(id) == (known.state == PlatformWallet.State.Paid)
            && shown.dollars == (isLocked ? known.dollars : 0) && shown.lockedUntil == (isLocked ? known.until : 0);
        if (!same) ++_breaches.stepsBack;
    }
}
