// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {FixedPointMathLib} from "solady/src/utils/FixedPointMathLib.sol";

/// @title Price linear in the amount sold
/// @notice With F0 and F1 the fully diluted values at start and end (wei), S the total supply, M the amount for sale
/// and s the amount sold (base units of 18 decimals), the price in wei of one base unit is
///
///     p(s) = (F0 + (F1 - F0) * s / M) / S
///
/// and a stretch of `amount` base units that starts at s costs the integral
///
///     amount * (2 * F0 * M + (F1 - F0) * (2 * s + amount)) / (2 * M * S)   wei,
///
/// evaluated in 512 bits and rounded once, so it is exact to the wei.
/// @dev The curve keeps these bounds: F0 <= F1 <= 1e27, M <= S <= 1e30, s + amount <= M. Then no factor exceeds 2e60 and
/// no result exceeds F1, so nothing here can overflow.
library LinearPrice {
    /// @notice A curve's shape.
    /// @param startValue fully diluted value at s = 0, in wei
    /// @param endValue fully diluted value at s = M, in wei, not below startValue
    /// @param supply total supply S, in base units
    /// @param forSale amount for sale M, in base units, 0 < M <= S
    struct Shape {
        uint256 startValue;
        uint256 endValue;
        uint256 supply;
        uint256 forSale;
    }

    /// @notice Cost of a stretch of the curve, rounded up.
    /// @param shape the curve
    /// @param sold where the stretch starts, in base units
    /// @param amount its length, in base units; sold + amount <= forSale
    /// @return wei
    function costUp(Shape memory shape, uint256 sold, uint256 amount) internal pure returns (uint256) {
        return FixedPointMathLib.fullMulDivUp(amount, _weight(shape, sold, amount), _scale(shape));
    }

    /// @notice Cost of a stretch of the curve, rounded down.
    /// @param shape the curve
    /// @param sold where the stretch starts, in base units
    /// @param amount its length, in base units; sold + amount <= forSale
    /// @return wei
    function costDown(Shape memory shape, uint256 sold, uint256 amount) internal pure returns (uint256) {
        return FixedPointMathLib.fullMulDiv(amount, _weight(shape, sold, amount), _scale(shape));
    }

    /// @notice Price at one point, rounded down.
    /// @param shape the curve
    /// @param sold the point, in base units
    /// @return wei for one whole token (1e18 base units)
    function spot(Shape memory shape, uint256 sold) internal pure returns (uint256) {
        return FixedPointMathLib.fullMulDiv(1e18, _weight(shape, sold, 0), _scale(shape));
    }

    function _weight(Shape memory shape, uint256 sold, uint256 amount) private pure returns (uint256) {
        unchecked {
            return 2 * shape.startValue * shape.forSale + (shape.endValue - shape.startValue) * (2 * sold + amount);
        }
    }

    function _scale(Shape memory shape) private pure returns (uint256) {
        unchecked {
            return 2 * shape.forSale * shape.supply;
        }
    }
}
