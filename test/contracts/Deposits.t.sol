// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {PlatformWallet} from "../../server/money/chain/contracts/PlatformWallet.sol";
import {ProjectFactory} from "../../server/money/chain/contracts/ProjectFactory.sol";
import {ProjectToken} from "../../server/money/chain/contracts/ProjectToken.sol";
import {ContractWallet} from "./support/Accounts.sol";
import {Dollars} from "./support/Dollars.sol";

/// @dev How dollars get into the platform wallet, and back to the founder.
contract DepositsTest is Dollars {
    function test_fund_locksWhatWasSignedAndAnnounces() public {
        bytes memory consent = _consent("a", 20e6);
        vm.expectEmit(address(wallet));
        emit PlatformWallet.Funded("a", address(token), founder, 20e6, block.timestamp + LOCK);
        vm.prank(operator);
        wallet.fund("a", address(token), 20e6, soon, consent);
        PlatformWallet.Payout memory locked = wallet.deposit("a");
        vm.assertEq(locked.funder, founder);
        vm.assertEq(locked.dollars, 20e6);
        vm.assertEq(locked.lockedUntil, block.timestamp + LOCK);
        _assertState("a", PlatformWallet.State.Funded);
        vm.assertEq(coin.balanceOf(address(wallet)), 20e6);
        vm.assertEq(coin.balanceOf(founder), 100_000e6 - 20e6);
        vm.assertTrue(coin.authorizationState(founder, keccak256(abi.encode(bytes32("a"), address(token)))));
        vm.assertFalse(wallet.paid("a"));
    }

    function test_fund_takesAContractWalletsSignature() public {
        founder = address(new ContractWallet(_account("keeper")));
        (token,) = _create("contract wallet", SUPPLY);
        _mint(founder, 20e6);
        bytes memory consent = _sign("keeper", _dollarDigest(RECEIVE, _terms("a", 20e6)));
        vm.prank(operator);
        wallet.fund("a", address(token), 20e6, soon, consent);
        vm.assertEq(wallet.deposit("a").funder, founder);
        vm.assertEq(coin.balanceOf(address(wallet)), 20e6);
    }

    function test_fund_refusesEverybodyButOperators() public {
        bytes memory consent = _consent("a", 20e6);
        address[4] memory callers = [owner, founder, treasury, stranger];
        for (uint256 i; i < callers.length; ++i) {
            vm.prank(callers[i]);
            vm.expectRevert(PlatformWallet.NotOperator.selector);
            wallet.fund("a", address(token), 20e6, soon, consent);
        }
    }

    function test_fund_takesAnIdOnceWhateverBecameOfIt() public {
        _fund("funded", 20e6);
        _fund("refunded", 20e6);
        _refund("refunded", operator);
        _fund("paid", 20e6);
        _payBoth("paid", contributor, 20e6, 0);
        _pay("paid in tokens", contributor, 95e18, 5e18);
        bytes32[4] memory ids = [bytes32("funded"), "refunded", "paid", "paid in tokens"];
        for (uint256 i; i < ids.length; ++i) {
            bytes memory consent = _consent(ids[i], 20e6);
            vm.prank(operator);
            vm.expectRevert(PlatformWallet.NotFundable.selector);
            wallet.fund(ids[i], address(token), 20e6, soon, consent);
        }
    }

    /// @dev Whatever the wallet forgets: of two signatures for a bounty the coin takes one.
    function test_coin_takesOneDepositForABounty() public {
        bytes memory consent = _consent("a", 9e6);
        _fund("a", 20e6);
        _refund("a", operator);
        Transfer memory terms = _terms("a", 9e6);
        vm.prank(address(wallet));
        vm.expectRevert("FiatTokenV2: authorization is used or canceled");
        coin.receiveWithAuthorization(founder, address(wallet), 9e6, 0, soon, terms.nonce, consent);
    }

    function test_coin_letsNobodyButTheWalletUseTheSignature() public {
        bytes memory consent = _consent("a", 20e6);
        Transfer memory terms = _terms("a", 20e6);
        address[3] memory callers = [operator, founder, stranger];
        for (uint256 i; i < callers.length; ++i) {
            vm.prank(callers[i]);
            vm.expectRevert("FiatTokenV2: caller must be the payee");
            coin.receiveWithAuthorization(founder, address(wallet), 20e6, 0, soon, terms.nonce, consent);
        }
    }

    function test_fund_refusesOtherTermsThanTheSignedOnes() public {
        bytes memory consent = _consent("a", 20e6);
        address other = address(_otherToken());
        _assertNotTaken("b", address(token), 20e6, soon, consent);
        _assertNotTaken("a", other, 20e6, soon, consent);
        _assertNotTaken("a", address(token), 20e6 - 1, soon, consent);
        _assertNotTaken("a", address(token), 20e6 + 1, soon, consent);
        _assertNotTaken("a", address(token), 20e6, soon + 1, consent);
        vm.chainId(block.chainid + 1);
        _assertNotTaken("a", address(token), 20e6, soon, consent);
        vm.chainId(block.chainid - 1);
        wallet = _otherWallet();
        // A token of that wallet's factory, at another address; signed for the first wallet all the same.
        Transfer memory terms = Transfer(founder, address(factory.platformWallet()), 20e6, 0, soon, _terms("a", 0).nonce);
        _assertNotTaken("a", address(token), 20e6, soon, _sign("founder", _dollarDigest(RECEIVE, terms)));
    }

    function test_fund_refusesASignatureForATransfer() public {
        _assertNotTaken("a", address(token), 20e6, soon, _sign("founder", _dollarDigest(TRANSFER, _terms("a", 20e6))));
    }

    function test_fund_refusesEverySignerButTheFounder() public {
        _mint(stranger, 20e6);
        Transfer memory terms = _terms("a", 20e6);
        _assertNotTaken("a", address(token), 20e6, soon, _sign("stranger", _dollarDigest(RECEIVE, terms)));
        terms.from = stranger;
        _assertNotTaken("a", address(token), 20e6, soon, _sign("stranger", _dollarDigest(RECEIVE, terms)));
        vm.assertEq(coin.balanceOf(stranger), 20e6);
    }

    /// @dev Unlike a project's token. Such an account has delegated to code by EIP-7702.
    function test_coin_takesNoSignatureOfAKeyWhoseAccountHasCode() public {
        bytes memory consent = _consent("a", 20e6);
        vm.etch(founder, hex"00");
        vm.prank(operator);
        vm.expectRevert("FiatTokenV2: invalid signature");
        wallet.fund("a", address(token), 20e6, soon, consent);
    }

    function test_fund_takesASecondSignatureOnceTheFirstHasExpired() public {
        bytes memory consent = _consent("a", 20e6);
        vm.warp(soon);
        vm.prank(operator);
        vm.expectRevert("FiatTokenV2: authorization is expired");
        wallet.fund("a", address(token), 20e6, soon, consent);
        soon = block.timestamp + 15 minutes;
        _fund("a", 20e6);
        _assertState("a", PlatformWallet.State.Funded);
    }

    function test_fund_refusesNothingAndMoreThanTheSlotHolds() public {
        uint256[3] memory amounts = [uint256(0), 1 << 56, type(uint256).max];
        for (uint256 i; i < amounts.length; ++i) {
            bytes memory consent = _consent("a", amounts[i]);
            vm.prank(operator);
            vm.expectRevert(PlatformWallet.InvalidDollars.selector);
            wallet.fund("a", address(token), amounts[i], soon, consent);
        }
        _mint(founder, (1 << 56) - 1);
        _fund("a", (1 << 56) - 1);
        vm.assertEq(wallet.deposit("a").dollars, (1 << 56) - 1);
    }

    function test_fund_refusesTokensOfOthers(address other) public {
        vm.assume(other != address(token));
        bytes memory consent = _consent("a", 20e6);
        vm.prank(operator);
        vm.expectRevert(PlatformWallet.UnknownToken.selector);
        wallet.fund("a", other, 20e6, soon, consent);
    }

    function test_fund_leavesNothingBehindWhereTheCoinRefuses() public {
        bytes memory consent = _consent("a", 20e6);
        _block(founder);
        _assertNotTaken("a", address(token), 20e6, soon, consent);
        _unblock(founder);
        vm.prank(issuer);
        coin.pause();
        _assertNotTaken("a", address(token), 20e6, soon, consent);
        vm.prank(issuer);
        coin.unpause();
        _assertNotTaken("b", address(token), 100_001e6, soon, _consent("b", 100_001e6));
        _fund("a", 20e6);
    }

    function test_refund_isForTheFounderWhoeverCalls() public {
        address[3] memory callers = [founder, contributor, stranger];
        for (uint256 i; i < callers.length; ++i) {
            uint256 state = vm.snapshotState();
            _fund("a", 20e6);
            vm.warp(block.timestamp + LOCK);
            vm.expectEmit(address(wallet));
            emit PlatformWallet.Refunded("a", founder, 20e6);
            _refund("a", callers[i]);
            vm.assertEq(coin.balanceOf(founder), 100_000e6);
            vm.assertEq(coin.balanceOf(address(wallet)), 0);
            _assertState("a", PlatformWallet.State.Refunded);
            vm.revertToState(state);
        }
    }

    function test_refund_beforeTheEndOfTheLockIsTheOperators() public {
        _fund("a", 20e6);
        address[4] memory others = [founder, owner, treasury, stranger];
        for (uint256 i; i < others.length; ++i) {
            vm.prank(others[i]);
            vm.expectRevert(abi.encodeWithSelector(PlatformWallet.StillLocked.selector, block.timestamp + LOCK));
            wallet.refund("a");
        }
        _refund("a", operator);
        vm.assertEq(coin.balanceOf(founder), 100_000e6);
    }

    function test_refund_happensOnce_andOnlyOfWhatIsLocked() public {
        _fund("a", 20e6);
        _fund("b", 20e6);
        _fund("paid", 20e6);
        _refund("a", operator);
        _payBoth("paid", contributor, 20e6, 0);
        vm.warp(block.timestamp + LOCK);
        bytes32[3] memory ids = [bytes32("a"), "paid", "never funded"];
        for (uint256 i; i < ids.length; ++i) {
            vm.prank(operator);
            vm.expectRevert(PlatformWallet.NotFunded.selector);
            wallet.refund(ids[i]);
        }
        vm.assertEq(coin.balanceOf(address(wallet)), 20e6);
    }

    function test_refund_isStoppedByNoPause() public {
        _fund("a", 20e6);
        _fund("b", 20e6);
        vm.prank(owner);
        wallet.pause();
        _refund("a", operator);
        vm.warp(block.timestamp + LOCK);
        _refund("b", stranger);
        vm.assertEq(coin.balanceOf(founder), 100_000e6);
    }

    function test_refund_ofABlockedFounderWaits() public {
        _fund("a", 20e6);
        _block(founder);
        vm.prank(operator);
        vm.expectRevert(PlatformWallet.TransferFailed.selector);
        wallet.refund("a");
        _assertState("a", PlatformWallet.State.Funded);
        _unblock(founder);
        _refund("a", operator);
        vm.assertEq(coin.balanceOf(founder), 100_000e6);
    }

    /// @dev At every second exactly one of the two is possible: a payment, or everybody's refund.
    function test_lock_endsPaymentsInTheSecondInWhichItBeginsRefunds(uint256 later) public {
        _fund("a", 20e6);
        uint256 until = block.timestamp + LOCK;
        uint256[4] memory times = [block.timestamp, until - 1, until, block.timestamp + _bound(later, 0, 3 * LOCK)];
        for (uint256 i; i < times.length; ++i) {
            vm.warp(times[i]);
            uint256 state = vm.snapshotState();
            bytes memory pay = abi.encodeCall(
                PlatformWallet.payWithDollars, ("a", address(token), founder, contributor, 95e18, 5e18, 20e6, 0)
            );
            vm.prank(operator);
            (bool isPaid,) = address(wallet).call(pay);
            vm.revertToState(state);
            vm.prank(stranger);
            (bool isRefunded,) = address(wallet).call(abi.encodeCall(PlatformWallet.refund, ("a")));
            vm.revertToState(state);
            vm.assertEq(isPaid, times[i] < until);
            vm.assertEq(isRefunded, times[i] >= until);
        }
    }

    /// @dev Without a coin everything with dollars is refused by name.
    function test_walletWithoutACoin_takesAndPaysNoDollars() public {
        bytes memory consent = _consent("a", 20e6);
        factory = new ProjectFactory(owner, treasury, 1000, 100, 1 ether, 100 ether, address(0), 0);
        wallet = factory.platformWallet();
        vm.prank(owner);
        wallet.setOperator(operator, true);
        (token,) = _create(KEY, SUPPLY);
        vm.startPrank(operator);
        vm.expectRevert(PlatformWallet.NoDollar.selector);
        wallet.fund("a", address(token), 20e6, soon, consent);
        vm.expectRevert(abi.encodeWithSelector(PlatformWallet.OtherDollars.selector, 0));
        wallet.payWithDollars("a", address(token), founder, contributor, 95e18, 5e18, 20e6, 0);
        vm.expectRevert(PlatformWallet.NotFunded.selector);
        wallet.refund("a");
        vm.expectRevert(PlatformWallet.ZeroAmount.selector);
        wallet.withdrawDollarFees();
        vm.stopPrank();
        _pay("a", contributor, 95e18, 5e18);
    }

    /// @dev The coin or the wallet refuses, and nothing has moved or changed.
    function _assertNotTaken(bytes32 id, address project, uint256 dollars, uint256 validBefore, bytes memory consent)
        private
    {
        uint256 held = coin.balanceOf(founder);
        vm.prank(operator);
        (bool isTaken,) =
            address(wallet).call(abi.encodeCall(PlatformWallet.fund, (id, project, dollars, validBefore, consent)));
        vm.assertFalse(isTaken);
        _assertState(id, PlatformWallet.State.None);
        vm.assertEq(coin.balanceOf(founder), held);
        vm.assertEq(coin.balanceOf(address(wallet)), 0);
    }

    /// @dev Another platform wallet for the same coin, with a project of the same founder in `token`.
    function _otherWallet() private returns (PlatformWallet other) {
        ProjectFactory elsewhere =
            new ProjectFactory(owner, treasury, 1000, 100, 1 ether, 100 ether, address(coin), uint56(CAP));
        other = elsewhere.platformWallet();
        vm.prank(owner);
        other.setOperator(operator, true);
        vm.prank(operator);
        (address made,) = elsewhere.create(KEY, "Research Notes", "NOTES", SUPPLY, founder);
        token = ProjectToken(made);
    }
}
