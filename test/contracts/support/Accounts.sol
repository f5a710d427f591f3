// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {BondingCurve} from "../../../server/money/chain/contracts/BondingCurve.sol";
import {ProjectToken} from "../../../server/money/chain/contracts/ProjectToken.sol";

/// @dev Trades, but takes no ether back.
contract Refuser {
    function buy(BondingCurve curve, uint256 amount, uint256 value) external {
        curve.buy{value: value}(amount, type(uint256).max, address(this), type(uint256).max);
    }

    function sell(BondingCurve curve, uint256 amount) external {
        curve.sell(amount, 0, address(this), type(uint256).max);
    }
}

/// @dev A contract wallet (ERC-1271) that accepts the signatures of one key: `r`, `s`, `v`.
contract ContractWallet {
    address private immutable _owner;

    constructor(address owner) {
        _owner = owner;
    }

    function isValidSignature(bytes32 digest, bytes calldata signature) external view returns (bytes4) {
        address signer =
            ecrecover(digest, uint8(signature[64]), bytes32(signature[:32]), bytes32(signature[32:64]));
        return signer == _owner ? this.isValidSignature.selector : bytes4(0xffffffff);
    }
}

/// @dev Forces ether on an address that does not want it.
contract ForcedGift {
    constructor(address payable target) payable {
        selfdestruct(target);
    }
}

/// @dev Calls the curve again, every way there is, from each receipt of its ether.
contract Reenterer {
    /// @dev Calls back that the curve let through.
    uint256 public breaches;
    uint256 public attempts;

    /// @dev A call that would be taken if nothing were being paid, such as the relay of a signed sale.
    bytes private _prepared;

    function prepare(bytes calldata call) external {
        _prepared = call;
    }

    function buy(BondingCurve curve, uint256 amount, uint256 maxIn, uint256 value) external returns (uint256) {
        return curve.buy{value: value}(amount, maxIn, address(this), type(uint256).max);
    }

    function sell(BondingCurve curve, uint256 amount, uint256 minOut) external returns (uint256) {
        return curve.sell(amount, minOut, address(this), type(uint256).max);
    }

    function transfer(ProjectToken token, address to, uint256 amount) external {
        token.transfer(to, amount);
    }

    receive() external payable {
        ++attempts;
        address curve = msg.sender;
        uint256 later = type(uint256).max;
        uint256 amount = ProjectToken(BondingCurve(curve).token()).balanceOf(address(this));
        _try(curve, abi.encodeCall(BondingCurve.buy, (1, later, address(this), later)), address(this).balance);
        _try(curve, abi.encodeCall(BondingCurve.sell, (amount, 0, address(this), later)), 0);
        _try(curve, abi.encodeCall(BondingCurve.withdrawFees, ()), 0);
        if (_prepared.length != 0) _try(curve, _prepared, 0);
    }

    function _try(address curve, bytes memory data, uint256 value) private {
        (bool ok,) = curve.call{value: value}(data);
        if (ok) ++breaches;
    }
}

/// @dev Trades, and notes what the curve's views say while it is being paid.
contract Observer {
    uint256 public sold;
    uint256 public accruedFees;
    uint256 public price;
    uint256 public cost;
    /// @dev How often it was paid.
    uint256 public payments;

    function buy(BondingCurve curve, uint256 amount, uint256 value) external {
        curve.buy{value: value}(amount, type(uint256).max, address(this), type(uint256).max);
    }

    function sell(BondingCurve curve, uint256 amount) external {
        curve.sell(amount, 0, address(this), type(uint256).max);
    }

    receive() external payable {
        ++payments;
        BondingCurve curve = BondingCurve(msg.sender);
        sold = curve.sold();
        accruedFees = curve.accruedFees();
        price = curve.price();
        (cost,) = curve.quoteBuy(1e18);
    }
}
