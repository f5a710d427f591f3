// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "solady/src/tokens/ERC20.sol";
import {LibClone} from "solady/src/utils/LibClone.sol";
import {ProjectToken} from "../../server/money/chain/contracts/ProjectToken.sol";
import {TokenArguments} from "../../server/money/chain/contracts/libraries/TokenArguments.sol";
import {Marketplace} from "./support/Marketplace.sol";

contract ProjectTokenTest is Marketplace {
    address private constant PERMIT2 = 0x000000000022D473030F116dDEE9F6B43aC78BA3;

    function test_metadata() public view {
        vm.assertEq(token.name(), "Research Notes");
        vm.assertEq(token.symbol(), "NOTES");
        vm.assertEq(token.decimals(), 18);
    }

    function test_initialize_refusesEverybodyButTheCurve() public {
        vm.prank(stranger);
        vm.expectRevert(ProjectToken.NotCurve.selector);
        token.initialize(1, 1);
        vm.prank(address(factory));
        vm.expectRevert(ProjectToken.NotCurve.selector);
        token.initialize(1, 1);
    }

    function test_initialize_refusesASecondTime_evenTheCurve() public {
        vm.prank(address(curve));
        vm.expectRevert(ProjectToken.AlreadyInitialized.selector);
        token.initialize(1, 1);
    }

    function test_initialize_cannotBeCalledOnTheImplementation() public {
        ProjectToken code = factory.tokenImplementation();
        address[4] memory callers = [owner, address(factory), address(factory.curveImplementation()), stranger];
        for (uint256 i; i < callers.length; ++i) {
            vm.prank(callers[i]);
            vm.expectRevert(ProjectToken.NotCurve.selector);
            code.initialize(1, 1);
        }
        vm.assertEq(code.totalSupply(), 0);
    }

    function test_initialize_announcesTheReserveAsAnApproval() public {
        address lookalike = LibClone.clone(
            address(factory.tokenImplementation()),
            TokenArguments.encode("salt", founder, address(this), "Name", "SYM")
        );
        vm.expectEmit(lookalike);
        emit ERC20.Transfer(address(0), address(this), 90);
        vm.expectEmit(lookalike);
        emit ERC20.Transfer(address(0), founder, 10);
        vm.expectEmit(lookalike);
        emit ERC20.Approval(founder, address(wallet), 10);
        ProjectToken(lookalike).initialize(90, 10);
    }

    function test_takeForSale_refusesEverybodyButTheCurve() public {
        address[4] memory callers = [stranger, founder, address(wallet), address(factory)];
        for (uint256 i; i < callers.length; ++i) {
            vm.prank(callers[i]);
            vm.expectRevert(ProjectToken.NotCurve.selector);
            token.takeForSale(founder, 1);
        }
    }

    function test_transfer_refusesMoreThanTheBalance() public {
        vm.prank(stranger);
        vm.expectRevert(ERC20.InsufficientBalance.selector);
        token.transfer(buyer, 1);
        vm.prank(founder);
        vm.expectRevert(ERC20.InsufficientBalance.selector);
        token.transfer(buyer, RESERVE + 1);
    }

    function test_transfer_refusesRecipientsThatLockTokensUp() public {
        _buy(buyer, 100e18);
        address[4] memory refused = [address(0), address(token), address(curve), address(wallet)];
        for (uint256 i; i < refused.length; ++i) {
            vm.prank(buyer);
            vm.expectRevert(ProjectToken.InvalidRecipient.selector);
            token.transfer(refused[i], 1);
            vm.prank(buyer);
            token.approve(stranger, 1);
            vm.prank(stranger);
            vm.expectRevert(ProjectToken.InvalidRecipient.selector);
            token.transferFrom(buyer, refused[i], 1);
        }
    }

    function test_transfer_ofTheWholeBalanceIsRefusedWhileAReserveIsLeft() public {
        _buy(founder, 50e18);
        vm.startPrank(founder);
        vm.expectRevert(abi.encodeWithSelector(ProjectToken.ReserveLocked.selector, RESERVE));
        token.transfer(stranger, RESERVE + 50e18);
        token.transfer(stranger, 50e18);
        vm.expectRevert(abi.encodeWithSelector(ProjectToken.ReserveLocked.selector, RESERVE));
        token.transfer(stranger, RESERVE);
    }

    function test_transferFrom_spendsAnApproval() public {
        _buy(buyer, 100e18);
        vm.prank(buyer);
        token.approve(stranger, 70e18);
        vm.prank(stranger);
        token.transferFrom(buyer, stranger, 50e18);
        vm.assertEq(token.allowance(buyer, stranger), 20e18);
        vm.prank(stranger);
        vm.expectRevert(ERC20.InsufficientAllowance.selector);
        token.transferFrom(buyer, stranger, 21e18);
    }

    function test_transferFrom_keepsAnInfiniteApproval() public {
        _buy(buyer, 100e18);
        vm.prank(buyer);
        token.approve(stranger, type(uint256).max);
        vm.prank(stranger);
        token.transferFrom(buyer, stranger, 50e18);
        vm.assertEq(token.allowance(buyer, stranger), type(uint256).max);
    }

    function test_transferFrom_byPlatformTakesTheReserveFirst() public {
        _buy(founder, 50e18);
        vm.prank(founder);
        token.approve(address(wallet), RESERVE + 30e18);
        vm.startPrank(address(wallet));
        token.transferFrom(founder, contributor, RESERVE - 1);
        vm.assertEq(token.bountyReserve(), 1);
        vm.assertEq(token.allowance(founder, address(wallet)), 30e18 + 1);
        token.transferFrom(founder, contributor, 1 + 10e18);
        vm.assertEq(token.bountyReserve(), 0);
        vm.assertEq(token.allowance(founder, address(wallet)), 20e18);
        vm.expectRevert(ERC20.InsufficientAllowance.selector);
        token.transferFrom(founder, contributor, 20e18 + 1);
        token.transferFrom(founder, contributor, 20e18);
        vm.assertEq(token.allowance(founder, address(wallet)), 0);
    }

    function test_transferFrom_byPlatformOfOthersNeedsTheirApproval() public {
        _buy(buyer, 100e18);
        vm.assertEq(token.allowance(buyer, address(wallet)), 0);
        vm.prank(address(wallet));
        vm.expectRevert(ERC20.InsufficientAllowance.selector);
        token.transferFrom(buyer, contributor, 1);
        vm.prank(buyer);
        token.approve(address(wallet), 5);
        vm.prank(address(wallet));
        token.transferFrom(buyer, contributor, 5);
    }

    function test_approve_ofPlatformReadsBackExactly(uint256 amount) public {
        amount = _bound(amount, RESERVE, type(uint256).max);
        vm.expectEmit(address(token));
        emit ERC20.Approval(founder, address(wallet), amount);
        vm.prank(founder);
        token.approve(address(wallet), amount);
        vm.assertEq(token.allowance(founder, address(wallet)), amount);
    }

    function test_approve_ofPlatformIsRevocableOnceTheReserveIsSpent() public {
        _pay("a", contributor, RESERVE, 0);
        vm.prank(founder);
        token.approve(address(wallet), 7);
        vm.prank(founder);
        token.approve(address(wallet), 0);
        vm.assertEq(token.allowance(founder, address(wallet)), 0);
    }

    function test_approve_ofPlatformInfinitelyStaysInfinite() public {
        vm.prank(founder);
        token.approve(address(wallet), type(uint256).max);
        _pay("a", contributor, RESERVE / 2, 1);
        vm.assertEq(token.allowance(founder, address(wallet)), type(uint256).max);
        vm.assertEq(token.bountyReserve(), RESERVE - RESERVE / 2 - 1);
    }

    function test_allowance_ofOthersIsWhatTheyApproved(address from, address spender, uint256 amount) public {
        vm.assume(from != founder || spender != address(wallet));
        vm.assertEq(token.allowance(from, spender), 0);
        vm.prank(from);
        token.approve(spender, amount);
        vm.assertEq(token.allowance(from, spender), amount);
    }

    function test_permit2_hasNoAllowance() public {
        _buy(buyer, 100e18);
        vm.assertEq(token.allowance(buyer, PERMIT2), 0);
        vm.assertEq(token.allowance(founder, PERMIT2), 0);
        vm.prank(PERMIT2);
        vm.expectRevert(ERC20.InsufficientAllowance.selector);
        token.transferFrom(buyer, stranger, 1);
    }

    function test_permit_approvesWhatWasSigned(uint256 value) public {
        (uint8 v, bytes32 r, bytes32 s) = _signPermit("buyer", buyer, stranger, value, LATER);
        vm.expectEmit(address(token));
        emit ERC20.Approval(buyer, stranger, value);
        token.permit(buyer, stranger, value, LATER, v, r, s);
        vm.assertEq(token.allowance(buyer, stranger), value);
        vm.assertEq(token.nonces(buyer), 1);
    }

    function test_permit_domainNamesTheTokenItsChainAndItsAddress() public view {
        vm.assertEq(token.DOMAIN_SEPARATOR(), _domain(address(token)));
    }

    function test_permit_ofPlatformCountsTheReserveIn(uint256 value) public {
        (uint8 v, bytes32 r, bytes32 s) = _signPermit("founder", founder, address(wallet), value, LATER);
        bool refused = value < RESERVE;
        if (refused) vm.expectRevert(abi.encodeWithSelector(ProjectToken.ApprovalBelowReserve.selector, RESERVE));
        token.permit(founder, address(wallet), value, LATER, v, r, s);
        vm.assertEq(token.allowance(founder, address(wallet)), refused ? RESERVE : value);
    }

    function test_permit_refusesTheZeroAddress(uint8 v, bytes32 r, bytes32 s) public {
        vm.expectRevert(ERC20.InvalidPermit.selector);
        token.permit(address(0), stranger, 5, LATER, v, r, s);
    }
}
