// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {FixedPointMathLib} from "solady/src/utils/FixedPointMathLib.sol";
import {LibClone} from "solady/src/utils/LibClone.sol";
import {LibRLP} from "solady/src/utils/LibRLP.sol";
import {ReentrancyGuardTransient} from "solady/src/utils/ReentrancyGuardTransient.sol";
import {SafeTransferLib} from "solady/src/utils/SafeTransferLib.sol";
import {LinearPrice} from "./libraries/LinearPrice.sol";
import {TokenArguments} from "./libraries/TokenArguments.sol";
import {ProjectToken} from "./ProjectToken.sol";

/// @title Bonding curve of one project
/// @notice Sells the project's token for ETH and buys it back. The price is linear in the amount sold (see LinearPrice).
/// Costs are rounded up and payments down. Each trade pays a fee in ETH, which the curve keeps apart for the treasury.
/// The curve always holds enough ETH to buy back everything it sold, and nobody can stop it from doing so.
/// @dev One implementation, cloned per project (ERC-1167, no arguments, so one salt makes one project). The rates are
/// immutable in the implementation. The clone makes its token with its first and only CREATE.
contract BondingCurve is ReentrancyGuardTransient {
    using LinearPrice for LinearPrice.Shape;

    /// @notice A rate given to the constructor is out of bounds, or the treasury is the zero address.
    error InvalidParameters();
    /// @notice The caller is not the factory.
    error NotFactory();
    /// @notice The clone was set up already.
    error AlreadyInitialized();
    /// @notice The zero address cannot be paid.
    error InvalidRecipient();
    /// @notice The block's time is past the deadline.
    error DeadlinePassed();
    /// @notice The amount is zero.
    error ZeroAmount();
    /// @notice The amount is so small that a sale of it would pay nothing.
    error NothingToPay();
    /// @notice The purchase is larger than what is left for sale.
    /// @param available base units left for sale
    error ExceedsSupply(uint256 available);
    /// @notice The sale is larger than the amount sold so far. Tokens paid from the reserve have no ETH behind them.
    /// @param sold base units sold so far
    error ExceedsSold(uint256 sold);
    /// @notice The purchase would cost more than the caller's limit.
    /// @param ethIn its cost with the fee, in wei
    error MaxInExceeded(uint256 ethIn);
    /// @notice The purchase costs more than the ETH that was sent with it.
    /// @param ethIn its cost with the fee, in wei
    error InsufficientPayment(uint256 ethIn);
    /// @notice The sale would pay less than the seller's limit.
    /// @param ethOut what it would pay after the fee, in wei
    error MinOutNotMet(uint256 ethOut);

    /// @notice Tokens were bought.
    /// @param buyer who paid
    /// @param recipient who received the tokens
    /// @param amount base units bought
    /// @param ethIn wei paid, with the fee
    /// @param fee the part of `ethIn` that is kept for the treasury, in wei
    /// @param sold base units sold so far, after this purchase
    event Bought(
        address indexed buyer, address indexed recipient, uint256 amount, uint256 ethIn, uint256 fee, uint256 sold
    );
    /// @notice Tokens were sold back.
    /// @param seller who delivered the tokens
    /// @param recipient who received the ETH
    /// @param amount base units sold back
    /// @param ethOut wei paid out, after the fee
    /// @param fee wei kept for the treasury
    /// @param sold base units sold so far, after this sale
    event Sold(
        address indexed seller, address indexed recipient, uint256 amount, uint256 ethOut, uint256 fee, uint256 sold
    );
    /// @notice The treasury received the accrued fees.
    /// @param to the treasury
    /// @param amount wei
    event FeesWithdrawn(address indexed to, uint256 amount);

    /// @dev Supply in whole tokens (at most 1e12), sold in base units (at most 1e30), fees in wei (at most the curve's
    /// balance).
    struct State {
        uint40 supply;
        uint104 sold;
        uint112 fees;
    }

    uint256 private constant BPS = 10_000;
    uint256 private constant BASE_UNITS = 1e18;

    /// @notice Highest curve fee, in basis points.
    uint256 public constant MAX_FEE_BPS = 1_000;
    /// @notice Highest share of the supply that can be minted as bounty reserve, in basis points.
    uint256 public constant MAX_RESERVE_BPS = 5_000;
    /// @notice Lowest fully diluted value at the start of the curve, in wei. With it each of 1e12 tokens costs 1,000 wei.
    uint256 public constant MIN_FDV = 1e15;
    /// @notice Highest fully diluted value at the end of the curve, in wei. It is more than all ETH.
    uint256 public constant MAX_FDV = 1e27;

    /// @notice The factory that sets clones up.
    address public immutable factory;
    /// @notice The token implementation that clones point to.
    address public immutable tokenImplementation;
    /// @notice Receives the fees.
    address public immutable treasury;
    /// @notice Share of the supply minted as bounty reserve, in basis points.
    uint256 public immutable bountyReserveBps;
    /// @notice Fee on each purchase and sale, in basis points of its price.
    uint256 public immutable feeBps;
    /// @notice Fully diluted value when nothing is sold, in wei.
    uint256 public immutable startFdv;
    /// @notice Fully diluted value when everything is sold, in wei.
    uint256 public immutable endFdv;

    /// @dev The state in one word, from the lowest bits up. Only `_load` and `_save` use it.
    uint256 private _packed;

    /// @param tokenImplementation_ the token implementation
    /// @param treasury_ receives the fees; not zero
    /// @param bountyReserveBps_ share of the supply minted as bounty reserve, at most MAX_RESERVE_BPS
    /// @param feeBps_ fee each way, at most MAX_FEE_BPS
    /// @param startFdv_ fully diluted value when nothing is sold, in wei, at least MIN_FDV
    /// @param endFdv_ fully diluted value when everything is sold, in wei, from startFdv_ to MAX_FDV
    constructor(
        address tokenImplementation_,
        address treasury_,
        uint256 bountyReserveBps_,
        uint256 feeBps_,
        uint256 startFdv_,
        uint256 endFdv_
    ) {
        if (treasury_ == address(0)) revert InvalidParameters();
        if (bountyReserveBps_ > MAX_RESERVE_BPS || feeBps_ > MAX_FEE_BPS) revert InvalidParameters();
        if (startFdv_ < MIN_FDV || endFdv_ < startFdv_ || endFdv_ > MAX_FDV) revert InvalidParameters();
        factory = msg.sender;
        tokenImplementation = tokenImplementation_;
        treasury = treasury_;
        bountyReserveBps = bountyReserveBps_;
        feeBps = feeBps_;
        startFdv = startFdv_;
        endFdv = endFdv_;
    }

    /// @notice Sets a clone up and makes its token. Only the factory can call it, once. It does so in the transaction that
    /// makes the clone.
    /// @param salt the project's salt
    /// @param name the token's name
    /// @param symbol the token's symbol
    /// @param supply total supply in base units, a multiple of 1e18 up to 1e30
    /// @param founder the founder's wallet
    /// @return token_ the token
    function initialize(
        bytes32 salt,
        string calldata name,
        string calldata symbol,
        uint256 supply,
        address founder
    ) external returns (address token_) {
        if (msg.sender != factory) revert NotFactory();
        if (_packed != 0) revert AlreadyInitialized();
        _save(State(uint40(supply / BASE_UNITS), 0, 0));
        token_ = LibClone.clone(
            tokenImplementation, TokenArguments.encode(salt, founder, address(this), name, symbol)
        );
        uint256 reserve = supply * bountyReserveBps / BPS;
        ProjectToken(token_).initialize(supply - reserve, reserve);
    }

    /// @notice Buys exactly `amountOut` for `recipient`. ETH beyond the cost returns to the caller.
    /// @param amountOut base units to buy
    /// @param maxIn highest acceptable cost with the fee, in wei
    /// @param recipient who receives the tokens
    /// @param deadline last acceptable block time, in seconds
    /// @return ethIn the cost with the fee, in wei
    function buy(uint256 amountOut, uint256 maxIn, address recipient, uint256 deadline)
        external
        payable
        nonReentrant
        returns (uint256 ethIn)
    {
        if (block.timestamp > deadline) revert DeadlinePassed();
        State memory state = _load();
        uint256 fee;
        (ethIn, fee) = _quoteBuy(state, amountOut);
        if (ethIn > maxIn) revert MaxInExceeded(ethIn);
        if (ethIn > msg.value) revert InsufficientPayment(ethIn);

        state.sold += uint104(amountOut);
        state.fees += uint112(fee);
        _save(state);
        ProjectToken(token()).transfer(recipient, amountOut);
        emit Bought(msg.sender, recipient, amountOut, ethIn, fee, state.sold);
        unchecked {
            if (msg.value > ethIn) SafeTransferLib.safeTransferETH(msg.sender, msg.value - ethIn);
        }
    }

    /// @notice Sells `amountIn` of the caller's tokens back and pays `recipient`. Needs no approval.
    /// @param amountIn base units to sell
    /// @param minOut lowest acceptable payment after the fee, in wei
    /// @param recipient who receives the ETH
    /// @param deadline last acceptable block time, in seconds
    /// @return ethOut what the recipient was paid, in wei
    function sell(uint256 amountIn, uint256 minOut, address recipient, uint256 deadline)
        external
        nonReentrant
        returns (uint256 ethOut)
    {
        if (block.timestamp > deadline) revert DeadlinePassed();
        ProjectToken(token()).takeForSale(msg.sender, amountIn);
        return _settleSale(msg.sender, amountIn, minOut, recipient);
    }

    /// @notice Sells the tokens of a seller who has signed the sale, and pays the signed recipient. Anybody can call it.
    /// The seller signs `SellWithAuthorization` in the token's EIP-712 domain; the nonce is used up in the token's
    /// `authorizationState`, where `cancelAuthorization` can cancel it. Valid while
    /// `validAfter < block time < validBefore`.
    /// @param seller the signer, a key's address or a contract with ERC-1271
    /// @param amount base units to sell
    /// @param minOut lowest acceptable payment after the fee, in wei
    /// @param recipient who receives the ETH
    /// @param validAfter the block time has to be later, in seconds
    /// @param validBefore the block time has to be earlier, in seconds
    /// @param nonce any value that the seller has not used, for a transfer neither
    /// @param signature `r`, `s` and `v` of a key, or anything that the contract accepts
    /// @return ethOut what the recipient was paid, in wei
    function sellWithAuthorization(
        address seller,
        uint256 amount,
        uint256 minOut,
        address recipient,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes calldata signature
    ) external nonReentrant returns (uint256 ethOut) {
        ProjectToken(token()).takeForSaleWithAuthorization(
            seller, amount, minOut, recipient, validAfter, validBefore, nonce, signature
        );
        return _settleSale(seller, amount, minOut, recipient);
    }

    /// @notice Pays the accrued fees to the treasury. Anybody can call it.
    /// @return amount wei
    function withdrawFees() external nonReentrant returns (uint256 amount) {
        State memory state = _load();
        amount = state.fees;
        if (amount == 0) revert ZeroAmount();
        state.fees = 0;
        _save(state);
        emit FeesWithdrawn(treasury, amount);
        SafeTransferLib.safeTransferETH(treasury, amount);
    }

    /// @notice What a purchase costs now. Reverts as the purchase would.
    /// @param amountOut base units to buy
    /// @return ethIn the cost with the fee, in wei
    /// @return fee the fee in it, in wei
    function quoteBuy(uint256 amountOut) external view returns (uint256 ethIn, uint256 fee) {
        return _quoteBuy(_load(), amountOut);
    }

    /// @notice What a sale pays now. Reverts as the sale would.
    /// @param amountIn base units to sell
    /// @return ethOut the payment after the fee, in wei
    /// @return fee the fee kept, in wei
    function quoteSell(uint256 amountIn) external view returns (uint256 ethOut, uint256 fee) {
        return _quoteSell(_load(), amountIn);
    }

    /// @notice The largest amount that a holder can sell now. The balance without the bounty reserve bounds it, and so does
    /// `sold`. Zero if the amount is worth less than the smallest payment.
    /// @param holder the holder
    /// @return amount base units
    function maxSell(address holder) external view returns (uint256 amount) {
        State memory state = _load();
        ProjectToken token_ = ProjectToken(token());
        amount = token_.balanceOf(holder);
        if (holder == token_.founder()) amount -= token_.bountyReserve();
        amount = FixedPointMathLib.min(amount, state.sold);
        (uint256 ethOut,) = _payment(state, amount);
        if (ethOut == 0) amount = 0;
    }

    /// @notice The project's token.
    /// @return the address
    function token() public view returns (address) {
        return LibRLP.computeAddress(address(this), 1);
    }

    /// @notice Amount that was sold and not sold back.
    /// @return base units
    function sold() external view returns (uint256) {
        return _load().sold;
    }

    /// @notice Amount that was for sale at the start: the supply without the bounty reserve.
    /// @return base units
    function forSale() external view returns (uint256) {
        return _shape(_load()).forSale;
    }

    /// @notice Fees that `withdrawFees` pays now.
    /// @return wei
    function accruedFees() external view returns (uint256) {
        return _load().fees;
    }

    /// @notice Price of the next base unit, before the fee, rounded down.
    /// @return wei for one whole token
    function price() external view returns (uint256) {
        State memory state = _load();
        return _shape(state).spot(state.sold);
    }

    /// @dev Books a sale whose tokens the curve has taken, and pays for it.
    function _settleSale(address seller, uint256 amount, uint256 minOut, address recipient)
        private
        returns (uint256 ethOut)
    {
        if (recipient == address(0)) revert InvalidRecipient();
        State memory state = _load();
        uint256 fee;
        (ethOut, fee) = _quoteSell(state, amount);
        if (ethOut < minOut) revert MinOutNotMet(ethOut);

        state.sold -= uint104(amount);
        state.fees += uint112(fee);
        _save(state);
        emit Sold(seller, recipient, amount, ethOut, fee, state.sold);
        SafeTransferLib.safeTransferETH(recipient, ethOut);
    }

    /// @dev `sold` never exceeds the amount for sale, and no cost exceeds MAX_FDV.
    function _quoteBuy(State memory state, uint256 amount) private view returns (uint256 ethIn, uint256 fee) {
        if (amount == 0) revert ZeroAmount();
        LinearPrice.Shape memory shape = _shape(state);
        unchecked {
            uint256 available = shape.forSale - state.sold;
            if (amount > available) revert ExceedsSupply(available);
            uint256 cost = shape.costUp(state.sold, amount);
            fee = _fee(cost);
            ethIn = cost + fee;
        }
    }

    function _quoteSell(State memory state, uint256 amount) private view returns (uint256 ethOut, uint256 fee) {
        if (amount == 0) revert ZeroAmount();
        if (amount > state.sold) revert ExceedsSold(state.sold);
        (ethOut, fee) = _payment(state, amount);
        if (ethOut == 0) revert NothingToPay();
    }

    function _payment(State memory state, uint256 amount) private view returns (uint256 ethOut, uint256 fee) {
        uint256 value = _shape(state).costDown(state.sold - amount, amount);
        fee = _fee(value);
        ethOut = value - fee;
    }

    /// @dev Rounded up, so that no split of a trade pays less in fees. `value` is at most MAX_FDV.
    function _fee(uint256 value) private view returns (uint256) {
        unchecked {
            return (value * feeBps + BPS - 1) / BPS;
        }
    }

    /// @dev The supply is at most 2^40 tokens, the reserve at most half of it.
    function _shape(State memory state) private view returns (LinearPrice.Shape memory) {
        unchecked {
            uint256 supply = uint256(state.supply) * BASE_UNITS;
            return LinearPrice.Shape(startFdv, endFdv, supply, supply - supply * bountyReserveBps / BPS);
        }
    }

    function _load() private view returns (State memory) {
        uint256 packed = _packed;
        return State(uint40(packed), uint104(packed >> 40), uint112(packed >> 144));
    }

    function _save(State memory state) private {
        _packed = uint256(state.supply) | uint256(state.sold) << 40 | uint256(state.fees) << 144;
    }

    /// @dev Uses transient storage on every chain. solady's default uses it on mainnet only.
    function _useTransientReentrancyGuardOnlyOnMainnet() internal pure override returns (bool) {
        return false;
    }
}
