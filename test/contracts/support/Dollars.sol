// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {PlatformWallet} from "../../../server/money/chain/contracts/PlatformWallet.sol";
import {ProjectToken} from "../../../server/money/chain/contracts/ProjectToken.sol";
import {Circle, CircleCoin} from "./Circle.sol";
import {Marketplace} from "./Marketplace.sol";

/// @dev A platform whose founder can lock Circle's dollars for bounties.
abstract contract Dollars is Marketplace {
    uint256 internal constant CAP = 5_000e6;
    uint256 internal constant LOCK = 180 days;

    address internal issuer = _account("issuer");
    Circle internal coin;
    uint256 internal soon;

    function setUp() public virtual override {
        super.setUp();
        soon = block.timestamp + 15 minutes;
        _mint(founder, 100_000e6);
    }

    function _makeDollar() internal virtual override returns (address) {
        coin = CircleCoin.make(issuer);
        return address(coin);
    }

    function _mint(address to, uint256 amount) internal virtual {
        vm.prank(issuer);
        coin.mint(to, amount);
    }

    function _block(address account) internal {
        vm.prank(issuer);
        coin.blacklist(account);
    }

    function _unblock(address account) internal {
        vm.prank(issuer);
        coin.unBlacklist(account);
    }

    /// @dev What the founder signs to lock dollars for a bounty.
    function _terms(bytes32 id, uint256 dollars) internal view returns (Transfer memory) {
        bytes32 nonce = keccak256(abi.encode(id, address(token)));
        return Transfer(founder, address(wallet), dollars, 0, soon, nonce);
    }

    function _dollarDigest(string memory kind, Transfer memory terms) internal view returns (bytes32) {
        return _transferDigest(_domainOf("USD Coin", "2", address(coin)), kind, terms);
    }

    /// @dev The founder's signature that locks dollars for a bounty.
    function _consent(bytes32 id, uint256 dollars) internal view returns (bytes memory) {
        return _sign("founder", _dollarDigest(RECEIVE, _terms(id, dollars)));
    }

    function _fund(bytes32 id, uint256 dollars) internal {
        bytes memory consent = _consent(id, dollars);
        vm.prank(operator);
        wallet.fund(id, address(token), dollars, soon, consent);
    }

    function _payBoth(bytes32 id, address to, uint256 dollars, uint256 dollarFee) internal {
        vm.prank(operator);
        wallet.payWithDollars(id, address(token), founder, to, 95e18, 5e18, dollars, dollarFee);
    }

    function _refund(bytes32 id, address caller) internal {
        vm.prank(caller);
        wallet.refund(id);
    }

    function _assertState(bytes32 id, PlatformWallet.State state) internal view {
        vm.assertEq(uint256(wallet.deposit(id).state), uint256(state));
        if (state != PlatformWallet.State.Funded) {
            vm.assertEq(wallet.deposit(id).funder, address(0));
            vm.assertEq(wallet.deposit(id).dollars, 0);
            vm.assertEq(wallet.deposit(id).lockedUntil, 0);
        }
    }

    /// @dev Another project of the same founder.
    function _otherToken() internal returns (ProjectToken other) {
        (other,) = _create("other", SUPPLY);
    }
}
