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
/// @notice Sells the project's token for ETH and buys it back, at a price linear in the amount sold (see LinearPrice).
/// A purchase rounds up, a sale rounds down, a fee is taken each way in ETH and kept apart for the treasury. The curve
/// always holds enough to buy back everything it sold; nothing can stop or change that.
/// @dev One implementation, cloned per project (ERC-1167, no arguments, so one salt makes one project). The rates are
/// immutable in the implementation. The clone makes its token with its first and only CREATE.
contract BondingCurve is ReentrancyGuardTransient {
    using LinearPrice for LinearPrice.Shape;

    /// @notice The rates given to the constructor are out of bounds.
    error InvalidParameters();
    /// @notice The caller is not the factory.
    error NotFactory();
    /// @notice The clone was set up already.
    error AlreadyInitialized();
    /// @notice The caller is not the treasury.
    error NotTreasury();
    /// @notice The block's time is past the deadline.
    error DeadlinePassed();
    /// @notice The amount is zero.
    error ZeroAmount();
    /// @notice The amount is so small that a sale of it would pay nothing.
    error NothingToPay();
    /// @notice The purchase is larger than what is left for sale.
    /// @param available base units left for sale
    error ExceedsSupply(uint256 available);
    /// @notice The sale is larger than the amount sold so far: tokens paid out of the reserve have no ETH behind them.
    /// @param sold base units sold so far
    error ExceedsSold(uint256 sold);
    /// @notice The purchase would cost more than the caller's limit.
    /// @param ethIn its cost with the fee, in wei
    error MaxInExceeded(uint256 ethIn);
    /// @notice The purchase costs more than the ETH sent along.
    /// @param ethIn its cost with the fee, in wei
    error InsufficientPayment(uint256 ethIn);
    /// @notice The sale would pay less than the caller's limit.
    /// @param ethOut what it would pay after the fee, in wei
    error MinOutNotMet(uint256 ethOut);

    /// @notice Tokens were bought.
    /// @param buyer who paid and received
    /// @param amount base units bought
    /// @param ethIn wei paid, with the fee
    /// @param fee wei of it kept for the treasury
    /// @param sold base units sold so far, after this purchase
    event Bought(address indexed buyer, uint256 amount, uint256 ethIn, uint256 fee, uint256 sold);
    /// @notice Tokens were sold back.
    /// @param seller who delivered and was paid
    /// @param amount base units sold back
    /// @param ethOut wei paid out, after the fee
    /// @param fee wei kept for the treasury
    /// @param sold base units sold so far, after this sale
    event Sold(address indexed seller, uint256 amount, uint256 ethOut, uint256 fee, uint256 sold);
    /// @notice The treasury took its fees.
    /// @param to where they went
    /// @param amount wei
    event FeesWithdrawn(address indexed to, uint256 amount);

    /// @dev Supply in whole tokens (at most 1e12), sold in base units (at most 1e30), fees in wei (no more than the curve
    /// holds).
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
    /// @notice Lowest fully diluted value at the start of the curve, in wei: then even of 1e12 tokens each costs 1,000 wei.
    uint256 public constant MIN_FDV = 1e15;
    /// @notice Highest fully diluted value at the end of the curve, in wei: more than all the ETH there is.
    uint256 public constant MAX_FDV = 1e27;

    /// @notice The factory that sets clones up.
    address public immutable factory;
    /// @notice The token implementation that clones point to.
    address public immutable tokenImplementation;
    /// @notice Who may take the fees.
    address public immutable treasury;
    /// @notice Share of the supply minted as bounty reserve, in basis points.
    uint256 public immutable bountyReserveBps;
    /// @notice Fee on each purchase and sale, in basis points of its price.
    uint256 public immutable feeBps;
    /// @notice Fully diluted value when nothing is sold, in wei.
    uint256 public immutable startFdv;
    /// @notice Fully diluted value when everything is sold, in wei.
    uint256 public immutable endFdv;

    /// @dev The state in one word, from the lowest bits up; `_load` and `_save` alone touch it.
    uint256 private _packed;

    /// @param tokenImplementation_ the token implementation
    /// @param treasury_ who may take the fees
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

    /// @notice Sets a clone up and makes its token. Once, by the factory, in the transaction that makes the clone.
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

    /// @notice Buys exactly `amountOut` for the caller; what was sent beyond the cost comes back.
    /// @param amountOut base units to buy
    /// @param maxIn highest acceptable cost with the fee, in wei
    /// @param deadline last acceptable block time, in seconds
    /// @return ethIn the cost with the fee, in wei
    function buy(uint256 amountOut, uint256 maxIn, uint256 deadline)
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
        ProjectToken(token()).transfer(msg.sender, amountOut);
        emit Bought(msg.sender, amountOut, ethIn, fee, state.sold);
        unchecked {
            if (msg.value > ethIn) SafeTransferLib.safeTransferETH(msg.sender, msg.value - ethIn);
        }
    }

    /// @notice Sells `amountIn` of the caller's tokens back. Needs no approval.
    /// @param amountIn base units to sell
    /// @param minOut lowest acceptable payment after the fee, in wei
    /// @param deadline last acceptable block time, in seconds
    /// @return ethOut what the caller was paid, in wei
    function sell(uint256 amountIn, uint256 minOut, uint256 deadline)
        external
        nonReentrant
        returns (uint256 ethOut)
    {
        if (block.timestamp > deadline) revert DeadlinePassed();
        State memory state = _load();
        uint256 fee;
        (ethOut, fee) = _quoteSell(state, amountIn);
        if (ethOut < minOut) revert MinOutNotMet(ethOut);

        state.sold -= uint104(amountIn);
        state.fees += uint112(fee);
        _save(state);
        ProjectToken(token()).takeForSale(msg.sender, amountIn);
        emit Sold(msg.sender, amountIn, ethOut, fee, state.sold);
        SafeTransferLib.safeTransferETH(msg.sender, ethOut);
    }

    /// @notice Pays the accrued fees out. Only by the treasury, to wherever it says.
    /// @param to who receives them
    /// @return amount wei
    function withdrawFees(address to) external nonReentrant returns (uint256 amount) {
        if (msg.sender != treasury) revert NotTreasury();
        State memory state = _load();
        amount = state.fees;
        if (amount == 0) revert ZeroAmount();
        state.fees = 0;
        _save(state);
        emit FeesWithdrawn(to, amount);
        SafeTransferLib.safeTransferETH(to, amount);
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

    /// @notice The largest amount a holder can sell now: bounded by the balance (without the bounty reserve) and by
    /// `sold`; zero when that is worth less than the smallest payment.
    /// @param holder whose tokens
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

    /// @notice Amount sold and not sold back.
    /// @return base units
    function sold() external view returns (uint256) {
        return _load().sold;
    }

    /// @notice Amount that was for sale at the start: the supply without the bounty reserve.
    /// @return base units
    function forSale() external view returns (uint256) {
        return _shape(_load()).forSale;
    }

    /// @notice Fees the treasury can take now.
    /// @return wei
    function accruedFees() external view returns (uint256) {
        return _load().fees;
    }

    /// @notice Price at the margin, before the fee, rounded down.
    /// @return wei for one whole token
    function price() external view returns (uint256) {
        State memory state = _load();
        return _shape(state).spot(state.sold);
    }

    /// @dev `sold` never passes the amount for sale, and no cost passes MAX_FDV.
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

    /// @dev Cheap transient storage on every chain, not on mainnet alone.
    function _useTransientReentrancyGuardOnlyOnMainnet() internal pure override returns (bool) {
        return false;
    }
}
