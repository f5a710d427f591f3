// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ProjectToken} from "./ProjectToken.sol";
import {ProjectAddresses} from "./libraries/ProjectAddresses.sol";
import {Owned} from "./Owned.sol";
import {SafeTransferLib} from "solady/src/utils/SafeTransferLib.sol";

/// @notice ERC-3009 of a stablecoin: from, to, value, validAfter, validBefore, nonce, signature.
interface Dollar {
    function receiveWithAuthorization(address, address, uint256, uint256, uint256, bytes32, bytes calldata) external;
}

/// @title Platform wallet
/// @notice The spender that founders grant allowance to. One call of an operator pays a bounty from the founder's wallet
/// to the contributor and the platform fee to the treasury, both or neither. Each payout id is paid once, permanently. The
/// contract itself holds no tokens. Of a stablecoin it holds what founders have locked for bounties, and fees. An operator
/// can pay anybody, within the founders' allowances (which include the bounty reserves) and what is locked, the daily caps
/// that the owner sets, and the highest fee. A pause stops every payment, and no refund.
contract PlatformWallet is Owned {
    /// @notice The caller is not an operator. Pausing is open to the owner as well.
    error NotOperator();
    /// @notice Payouts are paused.
    error PausedError();
    /// @notice The amount is zero.
    error ZeroAmount();
    /// @notice The payer is the recipient.
    error SelfPayment();
    /// @notice The payout id was paid already.
    error AlreadyPaid();
    /// @notice The factory did not make this token.
    error UnknownToken();
    /// @notice Only the project's founder pays its bounties.
    /// @param founder the founder's wallet
    error NotFounder(address founder);
    /// @notice The fee is more than a fifth of amount and fee together.
    /// @param highest the highest fee for this amount, in base units
    error FeeTooHigh(uint256 highest);
    /// @notice The payout would exceed the token's daily cap.
    /// @param left base units that can still be paid today
    error DailyCapExceeded(uint256 left);
    /// @notice This wallet was made without a coin.
    error NoDollar();
    /// @notice The payout id was funded, refunded or paid before, so it takes no dollars.
    error NotFundable();
    /// @notice No dollars are locked for the payout id.
    error NotFunded();
    /// @notice The amount of dollars is zero or too large, or another amount arrived.
    error InvalidDollars();
    /// @notice Another amount of dollars is locked for the payout id, or another founder has locked it.
    /// @param locked what is locked, in base units
    error OtherDollars(uint256 locked);
    /// @notice The lock is over: from then on the dollars can only be refunded.
    /// @param lockedUntil its end, in seconds
    error LockOver(uint256 lockedUntil);
    /// @notice Before the end of the lock only an operator refunds.
    /// @param lockedUntil its end, in seconds
    error StillLocked(uint256 lockedUntil);
    /// @notice The payout would exceed the coin's daily cap.
    /// @param left base units that can still be paid today
    error DollarCapExceeded(uint256 left);
    /// @notice The coin refuses the transfer: it is paused, or a wallet is on its block list.
    error TransferFailed();

    /// @notice A bounty was paid.
    /// @param payoutId the payout's id
    /// @param token the project's token
    /// @param from the founder's wallet
    /// @param to the contributor's wallet
    /// @param amount base units paid to the contributor
    /// @param fee base units paid to the treasury
    event Paid(
        bytes32 indexed payoutId, address indexed token, address indexed from, address to, uint256 amount, uint256 fee
    );
    /// @notice A founder locked dollars for a bounty.
    /// @param dollars base units
    /// @param lockedUntil the end of the lock, in seconds
    event Funded(
        bytes32 indexed payoutId, address indexed token, address indexed funder, uint256 dollars, uint256 lockedUntil
    );
    /// @notice A bounty's dollars were paid, in the transaction that paid its tokens.
    /// @param dollars base units, with the fee
    /// @param fee the part of them that accrued for the treasury
    event Released(bytes32 indexed payoutId, address indexed to, uint256 dollars, uint256 fee);
    /// @notice A bounty's dollars went back to the founder.
    /// @param dollars base units
    event Refunded(bytes32 indexed payoutId, address indexed funder, uint256 dollars);
    /// @notice A key became an operator or stopped being one.
    /// @param operator the key's address
    /// @param allowed whether it can pay from now on
    event OperatorSet(address indexed operator, bool allowed);
    /// @notice A token's daily cap changed.
    /// @param token the token
    /// @param cap base units a day; zero for no cap
    event DailyCapSet(address indexed token, uint256 cap);
    /// @notice Payouts were stopped or resumed.
    /// @param paused whether they are stopped
    event PausedSet(bool paused);

    /// @dev One slot. No supply exceeds 1e30 base units, which is less than 2^104.
    struct Cap {
        uint104 cap;
        uint104 spent;
        uint48 day;
    }

    /// @notice What has become of a payout id. It never returns to an earlier state.
    enum State { None, Funded, Refunded, Paid }

    /// @dev One slot. Only a funded one has more than its state. Writing member by member costs a payment 800 gas less
    /// than writing the struct.
    struct Payout {
        address funder;
        uint56 dollars;
        uint32 lockedUntil;
        State state;
    }

    /// @notice How long dollars are locked, in seconds.
    uint256 public constant LOCK = 180 days;

    /// @notice The factory whose tokens can be paid.
    address public immutable factory;
    /// @notice The code that the factory's curves point to.
    address public immutable curveImplementation;
    /// @notice Receives the platform fees.
    address public immutable treasury;
    /// @notice The coin: a stablecoin with ERC-3009; zero for none.
    address public immutable dollar;

    /// @notice Whether payouts are stopped.
    bool public paused;
    /// @notice Whether a key can pay.
    mapping(address operator => bool) public isOperator;
    /// @notice Fees in dollars that the treasury has not received, in base units.
    uint256 public accruedDollars;

    mapping(bytes32 payoutId => Payout) private _payouts;
    mapping(address token => Cap) private _caps;

    /// @dev The factory makes it.
    /// @param owner_ sets operators and caps, and ends pauses
    /// @param treasury_ receives the platform fees; not zero
    /// @param curveImplementation_ the code that the factory's curves point to
    /// @param dollar_ the coin; zero for none
    /// @param dollarCap base units of the coin that can be paid a day; above zero
    constructor(address owner_, address treasury_, address curveImplementation_, address dollar_, uint56 dollarCap)
        Owned(owner_)
    {
        if (treasury_ == address(0)) revert ZeroAddress();
        dollar = dollar_;
        if (dollar_ != address(0)) {
            if (dollarCap == 0) revert InvalidDollars();
            _caps[dollar_].cap = dollarCap;
            emit DailyCapSet(dollar_, dollarCap);
        }
        factory = msg.sender;
        treasury = treasury_;
        curveImplementation = curveImplementation_;
    }

    /// @notice Pays one bounty: `amount` from the founder to the contributor and `fee` from the founder to the treasury,
    /// both or neither. Only an operator can call it, once per payout id, and not during a pause.
    /// @param payoutId names the payout; the caller derives it from the bounty
    /// @param token a token of the factory
    /// @param from the founder's wallet
    /// @param to the contributor's wallet, not the founder's
    /// @param amount base units to the contributor, above zero
    /// @param fee base units to the treasury, at most a fifth of `amount` and `fee` together; may be zero
    function pay(bytes32 payoutId, address token, address from, address to, uint256 amount, uint256 fee) external {
        _pay(payoutId, token, from, to, amount, fee, 0);
    }

    /// @notice Pays one bounty as `pay` does, whose arguments come first, and the dollars that are locked for it: both or
    /// neither. The lock must not be over, and the founder must be the one who has locked them.
    /// @param dollars exactly what is locked, in base units
    /// @param dollarFee the part of `dollars` for the treasury, at most a fifth; the rest is the contributor's
    function payWithDollars(
        bytes32 payoutId,
        address token,
        address from,
        address to,
        uint256 amount,
        uint256 fee,
        uint256 dollars,
        uint256 dollarFee
    ) external {
        if (dollars == 0) revert NotFunded();
        if (dollarFee > dollars / 5) revert FeeTooHigh(dollars / 5);
        _pay(payoutId, token, from, to, amount, fee, dollars);
        _spendCap(dollar, dollars);
        accruedDollars += dollarFee;
        emit Released(payoutId, to, dollars, dollarFee);
        SafeTransferLib.safeTransfer(dollar, to, dollars - dollarFee);
    }

    /// @notice Locks a founder's dollars for a bounty: once for an id, before it is paid. The founder signs the coin's
    /// `ReceiveWithAuthorization` to this contract, valid after 0. Its nonce is the hash of id and token, so the coin itself
    /// takes one deposit for a bounty, and for no other. Only an operator relays it, so nobody burdens another's bounty.
    /// @param payoutId names the payout
    /// @param token a token of the factory; its founder pays
    /// @param dollars base units, as signed
    /// @param validBefore end of the signature's validity in seconds, as signed
    /// @param signature by the founder's key, or of the founder's contract wallet (ERC-1271)
    function fund(bytes32 payoutId, address token, uint256 dollars, uint256 validBefore, bytes calldata signature)
        external
    {
        if (!isOperator[msg.sender]) revert NotOperator();
        if (dollar == address(0)) revert NoDollar();
        if (_payouts[payoutId].state != State.None) revert NotFundable();
        if (dollars == 0 || dollars > type(uint56).max) revert InvalidDollars();
        address founder = _founderOf(token);
        uint256 lockedUntil = block.timestamp + LOCK;
        _payouts[payoutId] = Payout(founder, uint56(dollars), uint32(lockedUntil), State.Funded);
        emit Funded(payoutId, token, founder, dollars, lockedUntil);
        uint256 held = SafeTransferLib.balanceOf(dollar, address(this));
        bytes32 nonce = keccak256(abi.encode(payoutId, token));
        Dollar(dollar).receiveWithAuthorization(founder, address(this), dollars, 0, validBefore, nonce, signature);
        if (SafeTransferLib.balanceOf(dollar, address(this)) != held + dollars) revert InvalidDollars();
    }

    /// @notice Returns a bounty's dollars to the founder: an operator at any time, anybody from the end of the lock on.
    /// @param payoutId names the payout
    function refund(bytes32 payoutId) external {
        Payout storage payout = _payouts[payoutId];
        (address funder, uint256 dollars) = (payout.funder, payout.dollars);
        if (payout.state != State.Funded) revert NotFunded();
        if (block.timestamp < payout.lockedUntil && !isOperator[msg.sender]) revert StillLocked(payout.lockedUntil);
        payout.funder = address(0);
        payout.dollars = 0;
        payout.lockedUntil = 0;
        payout.state = State.Refunded;
        emit Refunded(payoutId, funder, dollars);
        SafeTransferLib.safeTransfer(dollar, funder, dollars);
    }

    /// @notice Sends the fees in dollars to the treasury. Anybody can call it.
    function withdrawDollarFees() external {
        uint256 dollars = accruedDollars;
        if (dollars == 0) revert ZeroAmount();
        accruedDollars = 0;
        SafeTransferLib.safeTransfer(dollar, treasury, dollars);
    }

    /// @notice What is locked for a payout id, and its state.
    function deposit(bytes32 payoutId) external view returns (Payout memory) {
        return _payouts[payoutId];
    }

    /// @notice Whether a payout id was paid.
    function paid(bytes32 payoutId) external view returns (bool) {
        return _payouts[payoutId].state == State.Paid;
    }

    /// @dev Pays the tokens. `dollars` is what the caller pays with them: all that is locked.
    function _pay(bytes32 payoutId, address token, address from, address to, uint256 amount, uint256 fee, uint256 dollars)
        private
    {
        if (!isOperator[msg.sender]) revert NotOperator();
        if (paused) revert PausedError();
        if (amount == 0) revert ZeroAmount();
        // A fifth of both together is a quarter of the amount alone.
        if (fee > amount / 4) revert FeeTooHigh(amount / 4);
        if (from == to) revert SelfPayment();
        Payout storage payout = _payouts[payoutId];
        if (payout.state == State.Paid) revert AlreadyPaid();
        if (payout.dollars != dollars) revert OtherDollars(payout.dollars);
        if (dollars != 0) {
            if (payout.funder != from) revert OtherDollars(dollars);
            if (block.timestamp >= payout.lockedUntil) revert LockOver(payout.lockedUntil);
        }
        address founder = _founderOf(token);
        if (from != founder) revert NotFounder(founder);

        payout.funder = address(0);
        payout.dollars = 0;
        payout.lockedUntil = 0;
        payout.state = State.Paid;
        _spendCap(token, amount + fee);
        emit Paid(payoutId, token, from, to, amount, fee);
        ProjectToken(token).transferFrom(from, to, amount);
        if (fee != 0) ProjectToken(token).transferFrom(from, treasury, fee);
    }

    /// @notice Adds or removes an operator key. Allowances stay as they are. Only the owner can call it.
    /// @param operator the key's address
    /// @param allowed whether it can pay from now on
    function setOperator(address operator, bool allowed) external onlyOwner {
        if (operator == address(0)) revert ZeroAddress();
        isOperator[operator] = allowed;
        emit OperatorSet(operator, allowed);
    }

    /// @notice Removes the calling operator key, for example because it may be stolen.
    function resign() external {
        if (!isOperator[msg.sender]) revert NotOperator();
        isOperator[msg.sender] = false;
        emit OperatorSet(msg.sender, false);
    }

    /// @notice Limits the payouts of a token per day (UTC), contributor and fee together. Payouts before the first cap of
    /// a day do not count. Only the owner can call it. Reverts with UnknownToken if the factory did not make the token,
    /// because a cap on a mistyped address would limit nothing.
    /// @param token a token of the factory, or the coin
    /// @param cap base units a day, at most 2^104 - 1; zero for no cap. The coin always has one, of at most 2^56 - 1, so
    /// that a number of whole tokens with 18 decimals is refused
    function setDailyCap(address token, uint104 cap) external onlyOwner {
        if (token == address(0) || token != dollar) _founderOf(token);
        else if (cap == 0 || cap > type(uint56).max) revert InvalidDollars();
        _caps[token].cap = cap;
        emit DailyCapSet(token, cap);
    }

    /// @notice Stops payouts. Only an operator or the owner can call it.
    function pause() external {
        if (!isOperator[msg.sender] && msg.sender != owner) revert NotOperator();
        paused = true;
        emit PausedSet(true);
    }

    /// @notice Resumes payouts. Only the owner can call it.
    function unpause() external onlyOwner {
        paused = false;
        emit PausedSet(false);
    }

    /// @notice A token's daily cap.
    /// @param token the token
    /// @return base units a day; zero for no cap
    function dailyCap(address token) external view returns (uint256) {
        return _caps[token].cap;
    }

    /// @notice What was paid today under a token's cap.
    /// @param token the token
    /// @return base units
    function spentToday(address token) external view returns (uint256) {
        Cap memory entry = _caps[token];
        return entry.day == _today() ? entry.spent : 0;
    }

    function _spendCap(address token, uint256 amount) private {
        Cap memory entry = _caps[token];
        if (entry.cap == 0) return;
        uint48 today = _today();
        if (entry.day != today) {
            entry.day = today;
            entry.spent = 0;
        }
        uint256 left = entry.cap > entry.spent ? entry.cap - entry.spent : 0;
        if (amount > left) {
            if (token == dollar) revert DollarCapExceeded(left);
            revert DailyCapExceeded(left);
        }
        entry.spent += uint104(amount);
        _caps[token] = entry;
    }

    /// @dev The founder of a token of the factory. Reverts with UnknownToken for any other address.
    function _founderOf(address token) private view returns (address founder) {
        founder = ProjectAddresses.founderOf(factory, curveImplementation, token);
        if (founder == address(0)) revert UnknownToken();
    }

    function _today() private view returns (uint48) {
        return uint48(block.timestamp / 1 days);
    }
}
