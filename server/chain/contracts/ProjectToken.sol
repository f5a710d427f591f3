// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "solady/src/tokens/ERC20.sol";
import {TokenArguments} from "./libraries/TokenArguments.sol";

/// @title Token of one project
/// @notice ERC-20 with 18 decimals, EIP-2612 permit and a fixed supply that is minted once. A part of it, the bounty
/// reserve, lies in the founder's wallet and counts in `balanceOf`, but only a payout through the platform wallet can
/// move it: no transfer, no sale, no revoked approval. The platform wallet's allowance over the founder's tokens is
/// therefore what the founder approved plus what is left of the reserve.
/// @dev One implementation, cloned per project (ERC-1167 with immutable arguments). No owner, no upgrade, no burn.
contract ProjectToken is ERC20 {
    /// @notice The caller is not the project's bonding curve.
    error NotCurve();
    /// @notice The supply was minted already.
    error AlreadyInitialized();
    /// @notice Tokens sent here would be lost: zero, the token itself, the platform wallet, or the curve other than by a
    /// sale.
    error InvalidRecipient();
    /// @notice The transfer would reach into the bounty reserve.
    /// @param reserve what is left of the reserve, in base units
    error ReserveLocked(uint256 reserve);
    /// @notice The founder cannot approve the platform wallet for less than what is left of the bounty reserve.
    /// @param reserve what is left of the reserve, in base units
    error ApprovalBelowReserve(uint256 reserve);

    /// @dev solady's seed of allowance slots; private there.
    uint256 private constant _ALLOWANCE_SLOT_SEED = 0x7f5e9f20;

    /// @notice The one contract that can spend the bounty reserve.
    address public immutable platformWallet;

    uint256 private _reserve;

    /// @param platformWallet_ the platform wallet
    constructor(address platformWallet_) {
        platformWallet = platformWallet_;
    }

    /// @notice Mints the whole supply. Once, by the curve that made this clone.
    /// @param forSale base units minted to the curve
    /// @param reserve base units minted to the founder as bounty reserve
    function initialize(uint256 forSale, uint256 reserve) external {
        (address founder_, address curve_) = TokenArguments.parties(address(this));
        if (msg.sender != curve_) revert NotCurve();
        if (totalSupply() != 0) revert AlreadyInitialized();
        _mint(curve_, forSale);
        if (reserve != 0) {
            _mint(founder_, reserve);
            _reserve = reserve;
            emit Approval(founder_, platformWallet, reserve);
        }
    }

    /// @notice Moves a seller's tokens to the curve, without approval. Only by the curve, which sells only for its caller.
    /// @param seller whose tokens
    /// @param amount base units
    function takeForSale(address seller, uint256 amount) external {
        if (msg.sender != curve()) revert NotCurve();
        _transfer(seller, msg.sender, amount);
    }

    /// @notice Lets `spender` move `amount` of the caller's tokens, in place of what it may move now. The founder's
    /// approval of the platform wallet counts the bounty reserve in, so it cannot be below what is left of that.
    /// @param spender who may move tokens
    /// @param amount base units; the largest number there is means without end
    /// @return true
    function approve(address spender, uint256 amount) public override returns (bool) {
        super.approve(spender, amount);
        _discountReserve(msg.sender, spender, amount);
        return true;
    }

    /// @notice Approves by the owner's signature (EIP-2612), with the same rule for the founder as `approve`.
    /// @param owner whose tokens, and who signed
    /// @param spender who may move them
    /// @param value base units
    /// @param deadline last block time at which the signature counts, in seconds
    /// @param v of the signature
    /// @param r of the signature
    /// @param s of the signature
    function permit(
        address owner,
        address spender,
        uint256 value,
        uint256 deadline,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) public override {
        if (owner == address(0)) revert InvalidPermit();
        super.permit(owner, spender, value, deadline, v, r, s);
        _discountReserve(owner, spender, value);
    }

    /// @notice Moves `amount` of the tokens of `from`, as far as `from` allowed the caller to. A payout takes from the
    /// founder's bounty reserve first, then from what the founder approved.
    /// @param from whose tokens
    /// @param to who receives them
    /// @param amount base units
    /// @return true
    function transferFrom(address from, address to, uint256 amount) public override returns (bool) {
        if (msg.sender != platformWallet || from != founder()) return super.transferFrom(from, to, amount);
        uint256 left = _reserve;
        uint256 beyond;
        if (amount > left) {
            beyond = amount - left;
            _spendAllowance(from, msg.sender, beyond);
        }
        if (left != 0) _reserve = left - (amount - beyond);
        _transfer(from, to, amount);
        return true;
    }

    /// @notice How much `spender` may move of the owner's tokens. For the founder and the platform wallet: the approval
    /// beyond the reserve plus what is left of the reserve.
    /// @param owner whose tokens
    /// @param spender who may move them
    /// @return base units
    function allowance(address owner, address spender) public view override returns (uint256) {
        uint256 stored = super.allowance(owner, spender);
        if (spender != platformWallet || stored == type(uint256).max || owner != founder()) return stored;
        return stored + _reserve;
    }

    /// @notice What is left of the bounty reserve.
    /// @return base units
    function bountyReserve() external view returns (uint256) {
        return _reserve;
    }

    /// @notice The founder's wallet, fixed at creation.
    /// @return founder_ the address
    function founder() public view returns (address founder_) {
        (founder_,) = TokenArguments.parties(address(this));
    }

    /// @notice The project's bonding curve.
    /// @return curve_ the address
    function curve() public view returns (address curve_) {
        (, curve_) = TokenArguments.parties(address(this));
    }

    /// @notice The project's name. Any bytes: show it as text only.
    /// @return the name
    function name() public view override returns (string memory) {
        return TokenArguments.name(address(this));
    }

    /// @notice The token's symbol, letters and digits.
    /// @return the symbol
    function symbol() public view override returns (string memory) {
        return TokenArguments.symbol(address(this));
    }

    /// @dev Stores the approval less the reserve, so that reserve and approval add up to what was approved. solady's
    /// `approve` and `permit` have stored and announced the full figure; `_approve` would announce the reduced one.
    function _discountReserve(address owner, address spender, uint256 amount) private {
        if (spender != platformWallet || owner != founder()) return;
        uint256 left = _reserve;
        if (amount < left) revert ApprovalBelowReserve(left);
        if (left == 0 || amount == type(uint256).max) return;
        assembly ("memory-safe") {
            mstore(0x20, spender)
            mstore(0x0c, _ALLOWANCE_SLOT_SEED)
            mstore(0x00, owner)
            sstore(keccak256(0x0c, 0x34), sub(amount, left))
        }
    }

    /// @dev Refuses recipients that would lock tokens up, and everything that would touch the reserve.
    function _beforeTokenTransfer(address from, address to, uint256 amount) internal view override {
        (address founder_, address curve_) = TokenArguments.parties(address(this));
        // The curve itself only ever serves its caller, its own stock and, when it mints, the founder.
        if (msg.sender != curve_) {
            bool lost = to == address(0) || to == address(this) || to == platformWallet || to == curve_;
            if (lost) revert InvalidRecipient();
        }
        if (from != founder_) return;
        uint256 reserve = _reserve;
        uint256 balance = balanceOf(from);
        if (amount <= balance && balance - amount < reserve) revert ReserveLocked(reserve);
    }

    /// @dev Nobody's allowance is infinite by default, Permit2's included.
    function _givePermit2InfiniteAllowance() internal pure override returns (bool) {
        return false;
    }
}
