// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {BondingCurve} from "../../../server/chain/contracts/BondingCurve.sol";
import {ProjectToken} from "../../../server/chain/contracts/ProjectToken.sol";

/// @dev Trades, but takes no ether back.
contract Refuser {
    function buy(BondingCurve curve, uint256 amount, uint256 value) external {
        curve.buy{value: value}(amount, type(uint256).max, type(uint256).max);
    }

    function sell(BondingCurve curve, uint256 amount) external {
        curve.sell(amount, 0, type(uint256).max);
    }
}

/// @dev Forces ether on an address that does not want it.
contract ForcedGift {
    constructor(address payable target) payable {
        selfdestruct(target);
    }
}

/// @dev Calls the curve again, every way there is, from each receipt of ether.
contract Reenterer {
    BondingCurve private immutable _curve;
    /// @dev Calls back that the curve let through.
    uint256 public breaches;
    uint256 public attempts;

    constructor(BondingCurve curve) payable {
        _curve = curve;
    }

    function buy(uint256 amount, uint256 value) external returns (uint256) {
        return _curve.buy{value: value}(amount, type(uint256).max, type(uint256).max);
    }

    function sell(uint256 amount) external returns (uint256) {
        return _curve.sell(amount, 0, type(uint256).max);
    }

    receive() external payable {
        ++attempts;
        uint256 later = type(uint256).max;
        uint256 amount = ProjectToken(_curve.token()).balanceOf(address(this));
        _try(abi.encodeCall(BondingCurve.buy, (1, later, later)), address(this).balance);
        _try(abi.encodeCall(BondingCurve.sell, (amount, 0, later)), 0);
        _try(abi.encodeCall(BondingCurve.withdrawFees, (address(this))), 0);
    }

    function _try(bytes memory data, uint256 value) private {
        (bool ok,) = address(_curve).call{value: value}(data);
        if (ok) ++breaches;
    }
}
