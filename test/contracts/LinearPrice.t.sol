// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {LinearPrice} from "../../server/chain/contracts/libraries/LinearPrice.sol";
import {Test} from "./support/Test.sol";

/// @dev Extremes whose prices can be written down. arithmetic.test.ts compares all others with a model.
contract LinearPriceTest is Test {
    using LinearPrice for LinearPrice.Shape;

    function test_cost_ofEverythingIsTheMeanValueTimesTheShareForSale() public pure {
        LinearPrice.Shape memory shape = LinearPrice.Shape(1 ether, 100 ether, 1e24, 9e23);
        vm.assertEq(shape.costUp(0, 9e23), 45.45 ether);
        vm.assertEq(shape.costDown(0, 9e23), 45.45 ether);
        shape = LinearPrice.Shape(1e15, 1e27, 1e30, 1e30);
        vm.assertEq(shape.costUp(0, 1e30), (1e15 + 1e27) / 2);
        shape = LinearPrice.Shape(1e27, 1e27, 1e18, 1e18);
        vm.assertEq(shape.costDown(1e18 - 1, 1), 1e9);
    }
}
