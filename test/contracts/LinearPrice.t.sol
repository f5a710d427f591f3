// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {LinearPrice} from "../../server/money/chain/contracts/libraries/LinearPrice.sol";
import {Test} from "./support/Test.sol";
import {Wide} from "./support/Wide.sol";

/// @dev A rounded quotient is checked without dividing: cost * denominator is compared with the numerator in schoolbook
/// arithmetic that shares nothing with the contracts.
contract LinearPriceTest is Test {
    using LinearPrice for LinearPrice.Shape;

    function test_costUp_isTheExactCeiling(uint256[6] calldata seeds) public pure {
        (LinearPrice.Shape memory shape, uint256 sold, uint256 amount) = _stretch(seeds);
        uint256 cost = shape.costUp(sold, amount);
        (uint256[] memory numerator, uint256[] memory denominator) = _fraction(shape, sold, amount);
        vm.assertFalse(Wide.less(Wide.times(denominator, cost), numerator), "too low");
        vm.assertTrue(Wide.less(Wide.times(denominator, cost - 1), numerator), "too high");
    }

    function test_costDown_isTheExactFloor(uint256[6] calldata seeds) public pure {
        (LinearPrice.Shape memory shape, uint256 sold, uint256 amount) = _stretch(seeds);
        uint256 cost = shape.costDown(sold, amount);
        (uint256[] memory numerator, uint256[] memory denominator) = _fraction(shape, sold, amount);
        vm.assertFalse(Wide.less(numerator, Wide.times(denominator, cost)), "too high");
        vm.assertTrue(Wide.less(numerator, Wide.times(denominator, cost + 1)), "too low");
    }

    function test_spot_isTheExactFloor(uint256[6] calldata seeds) public pure {
        (LinearPrice.Shape memory shape, uint256 sold,) = _stretch(seeds);
        uint256 price = shape.spot(sold);
        // 1e18 * (F0 * M + (F1 - F0) * s) / (M * S)
        uint256[] memory numerator = Wide.times(
            Wide.plus(
                Wide.times(Wide.from(shape.startValue), shape.forSale),
                Wide.times(Wide.from(shape.endValue - shape.startValue), sold)
            ),
            1e18
        );
        uint256[] memory denominator = Wide.times(Wide.from(shape.forSale), shape.supply);
        vm.assertFalse(Wide.less(numerator, Wide.times(denominator, price)), "too high");
        vm.assertTrue(Wide.less(numerator, Wide.times(denominator, price + 1)), "too low");
    }

    function test_costUp_ofAnyAmountIsAboveZero(uint256[6] calldata seeds) public pure {
        (LinearPrice.Shape memory shape, uint256 sold,) = _stretch(seeds);
        vm.assertGt(shape.costUp(sold, 1), 0, "free");
    }

    function test_costs_ofPartsAddUpInTheCurvesFavour(uint256[6] calldata seeds, uint256 cut) public pure {
        (LinearPrice.Shape memory shape, uint256 sold, uint256 amount) = _stretch(seeds);
        cut = _bound(cut, 0, amount);
        uint256 up = shape.costUp(sold, cut) + shape.costUp(sold + cut, amount - cut);
        uint256 down = shape.costDown(sold, cut) + shape.costDown(sold + cut, amount - cut);
        vm.assertGe(up, shape.costUp(sold, amount), "split purchase is cheaper");
        vm.assertLe(down, shape.costDown(sold, amount), "split sale pays more");
        vm.assertGe(up, shape.costDown(sold, amount), "round trip pays");
    }

    function test_price_neverFalls(uint256[6] calldata seeds, uint256 later) public pure {
        (LinearPrice.Shape memory shape, uint256 sold, uint256 amount) = _stretch(seeds);
        later = _bound(later, sold, shape.forSale - amount);
        vm.assertGe(shape.spot(later), shape.spot(sold), "spot");
        vm.assertGe(shape.costUp(later, amount), shape.costUp(sold, amount), "cost up");
        vm.assertGe(shape.costDown(later, amount), shape.costDown(sold, amount), "cost down");
    }

    function test_cost_ofEverythingIsTheMeanValueTimesTheShareForSale() public pure {
        LinearPrice.Shape memory shape = LinearPrice.Shape(1 ether, 100 ether, 1e24, 9e23);
        vm.assertEq(shape.costUp(0, 9e23), 45.45 ether);
        vm.assertEq(shape.costDown(0, 9e23), 45.45 ether);
        shape = LinearPrice.Shape(1e15, 1e27, 1e30, 1e30);
        vm.assertEq(shape.costUp(0, 1e30), (1e15 + 1e27) / 2);
        shape = LinearPrice.Shape(1e27, 1e27, 1e18, 1e18);
        vm.assertEq(shape.costDown(1e18 - 1, 1), 1e9);
    }

    /// @dev Any shape the factory can make, and a stretch of at least one base unit on it.
    function _stretch(uint256[6] calldata seeds)
        private
        pure
        returns (LinearPrice.Shape memory shape, uint256 sold, uint256 amount)
    {
        shape.startValue = _spread(seeds[0], 1e15, 1e27);
        shape.endValue = _spread(seeds[1], shape.startValue, 1e27);
        shape.supply = _spread(seeds[2], 1, 1e12) * 1e18;
        shape.forSale = shape.supply - shape.supply * _bound(seeds[3], 0, 5000) / 10_000;
        sold = _spread(seeds[4], 0, shape.forSale - 1);
        amount = _spread(seeds[5], 1, shape.forSale - sold);
    }

    /// @dev The integral of (F0 + (F1 - F0) * x / M) / S from s to s + a, as
    /// ((2 * F0 * M + (F1 - F0) * 2 * s) * a + (F1 - F0) * a * a) / (2 * M * S).
    function _fraction(LinearPrice.Shape memory shape, uint256 sold, uint256 amount)
        private
        pure
        returns (uint256[] memory numerator, uint256[] memory denominator)
    {
        uint256[] memory rise = Wide.from(shape.endValue - shape.startValue);
        uint256[] memory flat = Wide.times(Wide.from(2 * shape.startValue), shape.forSale);
        numerator = Wide.plus(
            Wide.times(Wide.plus(flat, Wide.times(rise, 2 * sold)), amount),
            Wide.times(Wide.times(rise, amount), amount)
        );
        denominator = Wide.times(Wide.from(2 * shape.supply), shape.forSale);
    }
}
