// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Authorizations} from "./Authorizations.sol";
import {TokenArguments} from "./libraries/TokenArguments.sol";

/// @title Token of one project
/// @notice ERC-20 with 18 decimals, permits (EIP-2612), transfers by signature (ERC-3009) and a fixed supply that is
/// minted once. The founder's wallet holds a part of the supply as bounty reserve. It counts in `balanceOf`, but only
/// a payout through the platform wallet can move it: no transfer, no sale, no signature, no revoked approval. So the
/// platform wallet may move what the founder approved plus what is left of the reserve.
/// @dev One implementation, cloned per project (ERC-1167 with immutable arguments). No owner, no upgrade, no burn.
contract ProjectToken is Authorizations {
    /// @notice The caller is not the project's bonding curve.
    error NotCurve();
    /// @notice The supply was minted already.
    error AlreadyInitialized();
    /// @notice Tokens would be lost at this address: zero, the token itself, the platform wallet, or the curve. The curve
    /// receives tokens by sales only.
    error InvalidRecipient();
    /// @notice The transfer would move a part of the bounty reserve.
    /// @param reserve what is left of the reserve, in base units
    error ReserveLocked(uint256 reserve);
    /// @notice The founder cannot approve the platform wallet for less than what is left of the bounty reserve.
    /// @param reserve what is left of the reserve, in base units
    error ApprovalBelowReserve(uint256 reserve);

    /// @dev solady's seed of allowance slots, which is private there.
    uint256 private constant _ALLOWANCE_SLOT_SEED = 0x7f5e9f20;

    bytes32 private constant SALE_TYPEHASH = keccak256(
        "SellWithAuthorization(address seller,uint256 amount,uint256 minOut,address recipient,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );

    /// @notice The only contract that can spend the bounty reserve.
    address public immutable platformWallet;

    uint256 private _reserve;

    /// @param platformWallet_ the platform wallet
    constructor(address platformWallet_) {
        platformWallet = platformWallet_;
    }

    /// @notice Mints the whole supply. Only the curve that made this clone can call it, once.
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

    /// @notice Moves a seller's tokens to the curve, without approval. Only the curve can call it, and it sells only for
    /// its caller.
    /// @param seller the curve's caller
    /// @param amount base units
    function takeForSale(address seller, uint256 amount) external {
        if (msg.sender != curve()) revert NotCurve();
        _transfer(seller, msg.sender, amount);
    }

    /// @notice Moves the tokens of a seller who has signed the sale to the curve. Only the curve can call it.
    /// @param seller the signer, a key's address or a contract with ERC-1271
    /// @param amount base units
    /// @param minOut the signed lowest payment, in wei; the curve keeps to it
    /// @param recipient the signed receiver of the payment; the curve keeps to it
    /// @param validAfter the block time has to be later, in seconds
    /// @param validBefore the block time has to be earlier, in seconds
    /// @param nonce any value that the seller has not used, for a transfer neither
    /// @param signature `r`, `s` and `v` of a key, or anything that the contract accepts
    function takeForSaleWithAuthorization(
        address seller,
        uint256 amount,
        uint256 minOut,
        address recipient,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes calldata signature
    ) external {
        if (msg.sender != curve()) revert NotCurve();
        bytes32 sale = keccak256(
            abi.encode(SALE_TYPEHASH, seller, amount, minOut, recipient, validAfter, validBefore, nonce)
        );
        _requireSigner(seller, sale, signature);
        _useAuthorization(seller, validAfter, validBefore, nonce);
        _transfer(seller, msg.sender, amount);
    }

    /// @notice Lets `spender` move `amount` of the caller's tokens. Replaces the earlier approval. The founder's approval
    /// of the platform wallet includes the bounty reserve, so it cannot be lower than what is left of the reserve.
    /// @param spender who may move tokens
    /// @param amount base units; the largest number means without limit
    /// @return true
    function approve(address spender, uint256 amount) public override returns (bool) {
        super.approve(spender, amount);
        _discountReserve(msg.sender, spender, amount);
        return true;
    }

    /// @notice Approves by the owner's signature (EIP-2612). The founder's approval of the platform wallet has the lower
    /// limit that `approve` has.
    /// @param owner the holder, who has signed
    /// @param spender who may move tokens
    /// @param value base units
    /// @param deadline last block time at which the signature is valid, in seconds
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

    /// @notice Moves `amount` of the tokens of `from`, who has to have approved the caller. A payout takes the founder's
    /// bounty reserve first, then what the founder approved.
    /// @param from the holder
    /// @param to who receives the tokens
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

    /// @notice How much `spender` may move of the owner's tokens. For the founder and the platform wallet it is the
    /// approval beyond the reserve plus what is left of the reserve.
    /// @param owner the holder
    /// @param spender who may move tokens
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

    /// @notice The project's name. It can contain any bytes: show it as text only.
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
    /// `approve` and `permit` have stored the full amount before and have emitted the event with it. `_approve` would
    /// emit a second event with the reduced amount.
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

    /// @dev Refuses recipients that would lock tokens up, and every transfer of the reserve. The curve can take tokens by
    /// a sale and is minted its stock, but it cannot sell to itself.
    function _beforeTokenTransfer(address from, address to, uint256 amount) internal view override {
        (address founder_, address curve_) = TokenArguments.parties(address(this));
        address wallet = platformWallet;
        bool lost;
        // Without branches, because every payout comes here twice.
        assembly ("memory-safe") {
            let recipient := shr(96, shl(96, to))
            lost := or(or(iszero(recipient), eq(recipient, address())), eq(recipient, wallet))
        }
        if (lost || (to == curve_ && (msg.sender != curve_ || from == curve_))) revert InvalidRecipient();
        if (from != founder_) return;
        uint256 reserve = _reserve;
        uint256 balance = balanceOf(from);
        if (amount <= balance && balance - amount < reserve) revert ReserveLocked(reserve);
    }

    /// @dev Permit2 needs an approval like every other spender.
    function _givePermit2InfiniteAllowance() internal pure override returns (bool) {
        return false;
    }
}
