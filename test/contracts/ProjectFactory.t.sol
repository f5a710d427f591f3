// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {LibClone} from "solady/src/utils/LibClone.sol";
import {BondingCurve} from "../../server/money/chain/contracts/BondingCurve.sol";
import {Owned} from "../../server/money/chain/contracts/Owned.sol";
import {ProjectFactory} from "../../server/money/chain/contracts/ProjectFactory.sol";
import {ProjectToken} from "../../server/money/chain/contracts/ProjectToken.sol";
import {Marketplace} from "./support/Marketplace.sol";

contract ProjectFactoryTest is Marketplace {
    function test_constructor_fixesEveryParameter() public view {
        vm.assertEq(factory.treasury(), treasury);
        vm.assertEq(factory.bountyReserveBps(), 1000);
        vm.assertEq(factory.curveFeeBps(), 100);
        vm.assertEq(factory.startFdv(), 1 ether);
        vm.assertEq(factory.endFdv(), 100 ether);
        vm.assertEq(wallet.owner(), owner);
        vm.assertEq(wallet.treasury(), treasury);
        vm.assertEq(wallet.factory(), address(factory));
        vm.assertEq(wallet.dollar(), address(0));
        BondingCurve code = factory.curveImplementation();
        vm.assertEq(wallet.curveImplementation(), address(code));
        vm.assertEq(code.factory(), address(factory));
        vm.assertEq(code.treasury(), treasury);
        vm.assertEq(code.feeBps(), 100);
        vm.assertEq(code.bountyReserveBps(), 1000);
        vm.assertEq(code.tokenImplementation(), address(factory.tokenImplementation()));
        vm.assertEq(factory.tokenImplementation().platformWallet(), address(wallet));
    }

    function test_constructor_refusesParametersOutOfBounds() public {
        _refuses(5001, 100, 1 ether, 2 ether);
        _refuses(1000, 1001, 1 ether, 2 ether);
        _refuses(1000, 100, 1e15 - 1, 2 ether);
        _refuses(1000, 100, 2 ether, 2 ether - 1);
        _refuses(1000, 100, 1 ether, 1e27 + 1);
        new ProjectFactory(owner, treasury, 5000, 1000, 1e15, 1e27, address(0), 0);
        new ProjectFactory(owner, treasury, 0, 0, 1e27, 1e27, address(0), 0);
    }

    function test_constructor_refusesZeroOwnerAndTreasury() public {
        vm.expectRevert(Owned.ZeroAddress.selector);
        new ProjectFactory(address(0), treasury, 1000, 100, 1 ether, 2 ether, address(0), 0);
        vm.expectRevert(BondingCurve.InvalidParameters.selector);
        new ProjectFactory(owner, address(0), 1000, 100, 1 ether, 2 ether, address(0), 0);
    }

    function test_create_announcesAndReturnsThePredictedAddresses() public {
        (address token_, address curve_) = factory.predict(stranger, "other");
        vm.expectEmit(address(factory));
        emit ProjectFactory.ProjectCreated("other", stranger, founder, token_, curve_, 1e18, "Notes", "N");
        vm.prank(stranger);
        (address madeToken, address madeCurve) = factory.create("other", "Notes", "N", 1e18, founder);
        vm.assertEq(madeToken, token_);
        vm.assertEq(madeCurve, curve_);
    }

    function test_create_refusesTheSameKeyAgain_evenWithOtherArguments() public {
        bytes memory refusal =
            abi.encodeWithSelector(ProjectFactory.ProjectExists.selector, address(token), address(curve));
        vm.startPrank(operator);
        vm.expectRevert(refusal);
        factory.create(KEY, "Research Notes", "NOTES", SUPPLY, founder);
        vm.expectRevert(refusal);
        factory.create(KEY, "Other", "OTHER", 1e18, buyer);
    }

    function test_create_givesEachCallerItsOwnAddressForAKey() public {
        vm.prank(stranger);
        (address token_, address curve_) = factory.create(KEY, "Research Notes", "NOTES", SUPPLY, founder);
        vm.assertNotEq(token_, address(token));
        vm.assertNotEq(curve_, address(curve));
        vm.assertTrue(factory.isToken(token_));
    }

    function test_create_refusesAFounderThatCannotBeOne() public {
        (address token_, address curve_) = factory.predict(address(this), "x");
        address[6] memory refused =
            [address(0), address(factory), address(wallet), treasury, token_, curve_];
        for (uint256 i; i < refused.length; ++i) {
            vm.expectRevert(ProjectFactory.InvalidFounder.selector);
            factory.create("x", "N", "S", 1e18, refused[i]);
        }
    }

    function test_create_refusesASupplyThatIsNotWholeTokensInRange(uint256 supply) public {
        vm.assume(supply == 0 || supply > 1e30 || supply % 1e18 != 0);
        vm.expectRevert(ProjectFactory.InvalidSupply.selector);
        factory.create("x", "N", "S", supply, founder);
    }

    function test_create_refusesAnEmptyOrEndlessName() public {
        vm.expectRevert(ProjectFactory.InvalidName.selector);
        factory.create("x", "", "S", 1e18, founder);
        vm.expectRevert(ProjectFactory.InvalidName.selector);
        factory.create("x", string(new bytes(801)), "S", 1e18, founder);
    }

    function test_create_refusesAMaliciousSymbol() public {
        string[9] memory refused = [
            "",
            "ABCDEFGHIJKLMNOPQRSTU",
            "A B",
            "A-B",
            "<script>",
            unicode"ＵＳＤ",
            unicode"US\u202eD",
            "A\x00B",
            "'; DROP--"
        ];
        for (uint256 i; i < refused.length; ++i) {
            vm.expectRevert(ProjectFactory.InvalidSymbol.selector);
            factory.create("x", "N", refused[i], 1e18, founder);
        }
    }

    function test_create_keepsNameAndSymbolByteForByte(string calldata name, uint256 length, bytes32 letters) public {
        vm.assume(bytes(name).length != 0 && bytes(name).length <= 800);
        bytes memory symbol = new bytes(_bound(length, 1, 20));
        for (uint256 i; i < symbol.length; ++i) {
            symbol[i] = bytes("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")[uint8(letters[i]) % 62];
        }
        (address token_,) = factory.create("x", name, string(symbol), 1e18, founder);
        vm.assertEq(ProjectToken(token_).name(), name);
        vm.assertEq(ProjectToken(token_).symbol(), string(symbol));
        vm.assertEq(ProjectToken(token_).founder(), founder);
    }

    function test_create_keepsTheLongestName() public {
        bytes memory name = new bytes(800);
        for (uint256 i; i < 800; ++i) name[i] = bytes1(uint8(i));
        (address token_,) = factory.create("x", string(name), "ABCDEFGHIJKLMNOPQRST", 1e18, founder);
        vm.assertEq(bytes(ProjectToken(token_).name()), name);
        vm.assertEq(ProjectToken(token_).symbol(), "ABCDEFGHIJKLMNOPQRST");
    }

    function test_isToken_knowsOnlyItsOwn(address other) public view {
        vm.assertTrue(factory.isToken(address(token)));
        vm.assertEq(factory.founderOf(address(token)), founder);
        vm.assume(other != address(token));
        vm.assertFalse(factory.isToken(other));
        vm.assertFalse(factory.isToken(address(curve)));
        vm.assertFalse(factory.isToken(address(factory)));
        vm.assertFalse(factory.isToken(address(factory.tokenImplementation())));
        (address unmade,) = factory.predict(operator, "unmade");
        vm.assertFalse(factory.isToken(unmade));
    }

    function test_isToken_isNotFooledByACloneWithTheRealSalt() public {
        bytes memory copied = LibClone.argsOnClone(address(token));
        address fake = LibClone.clone(address(factory.tokenImplementation()), copied);
        vm.assertEq(fake.code, address(token).code);
        vm.assertFalse(factory.isToken(fake));
    }

    function test_isToken_isNotFooledByAnotherFactorysToken() public {
        ProjectFactory second = new ProjectFactory(owner, treasury, 1000, 100, 1 ether, 100 ether, address(0), 0);
        vm.prank(operator);
        (address token_,) = second.create(KEY, "Research Notes", "NOTES", SUPPLY, founder);
        vm.assertTrue(second.isToken(token_));
        vm.assertFalse(factory.isToken(token_));
    }

    function _refuses(uint256 reserveBps, uint256 feeBps, uint256 startFdv, uint256 endFdv) private {
        vm.expectRevert(BondingCurve.InvalidParameters.selector);
        new ProjectFactory(owner, treasury, reserveBps, feeBps, startFdv, endFdv, address(0), 0);
    }
}
