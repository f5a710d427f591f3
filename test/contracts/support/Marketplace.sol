// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {BondingCurve} from "../../../server/money/chain/contracts/BondingCurve.sol";
import {PlatformWallet} from "../../../server/money/chain/contracts/PlatformWallet.sol";
import {ProjectFactory} from "../../../server/money/chain/contracts/ProjectFactory.sol";
import {ProjectToken} from "../../../server/money/chain/contracts/ProjectToken.sol";
import {Signatures} from "./Signatures.sol";

/// @dev A deployed platform with one project, and the people around it.
abstract contract Marketplace is Signatures {
    uint256 internal constant SUPPLY = 1_000_000e18;
    uint256 internal constant RESERVE = 100_000e18;
    uint256 internal constant FOR_SALE = 900_000e18;
    uint256 internal constant LATER = type(uint256).max;
    bytes32 internal constant KEY = "project";

    address internal owner = _account("owner");
    address internal treasury = _account("treasury");
    address internal operator = _account("operator");
    address internal founder = _account("founder");
    address internal contributor = _account("contributor");
    address internal buyer = _account("buyer");
    address internal stranger = _account("stranger");

    ProjectFactory internal factory;
    PlatformWallet internal wallet;
    ProjectToken internal token;
    BondingCurve internal curve;

    function setUp() public virtual {
        vm.warp(1_800_000_000);
        factory = new ProjectFactory(owner, treasury, 1000, 100, 1 ether, 100 ether, _makeDollar(), 5_000e6);
        wallet = factory.platformWallet();
        vm.prank(owner);
        wallet.setOperator(operator, true);
        (token, curve) = _create(KEY, SUPPLY);
        vm.deal(founder, 1000 ether);
        vm.deal(buyer, 1000 ether);
        vm.deal(contributor, 1000 ether);
        vm.deal(stranger, 1000 ether);
    }

    /// @dev The stablecoin of the platform wallet; none by default.
    function _makeDollar() internal virtual returns (address) {
        return address(0);
    }

    function _create(bytes32 key, uint256 supply) internal returns (ProjectToken, BondingCurve) {
        vm.prank(operator);
        (address token_, address curve_) = factory.create(key, "Research Notes", "NOTES", supply, founder);
        return (ProjectToken(token_), BondingCurve(curve_));
    }

    function _buy(address who, uint256 amount) internal returns (uint256 ethIn) {
        (ethIn,) = curve.quoteBuy(amount);
        vm.prank(who);
        curve.buy{value: ethIn}(amount, ethIn, who, LATER);
    }

    function _sell(address who, uint256 amount) internal returns (uint256) {
        vm.prank(who);
        return curve.sell(amount, 0, who, LATER);
    }

    function _pay(bytes32 id, address to, uint256 amount, uint256 fee) internal {
        vm.prank(operator);
        wallet.pay(id, address(token), founder, to, amount, fee);
    }

    /// @dev Signs an EIP-2612 permit for the current nonce and chain. The domain is written out as wallets build it, so
    /// that a contract with another idea of its domain refuses the signature.
    function _signPermit(string memory signer, address from, address spender, uint256 value, uint256 deadline)
        internal
        view
        returns (uint8 v, bytes32 r, bytes32 s)
    {
        bytes32 typeHash =
            keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");
        bytes32 body = keccak256(abi.encode(typeHash, from, spender, value, token.nonces(from), deadline));
        return vm.sign(_key(signer), keccak256(abi.encodePacked("\x19\x01", _domain(address(token)), body)));
    }

    /// @dev The EIP-712 domain of a token that `_create` made.
    function _domain(address verifyingContract) internal view returns (bytes32) {
        return _domainOf("Research Notes", verifyingContract);
    }
}
