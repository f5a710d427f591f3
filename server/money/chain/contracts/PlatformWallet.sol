// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ProjectToken} from "./ProjectToken.sol";
import {ProjectAddresses} from "./libraries/ProjectAddresses.sol";
import {Owned} from "./Owned.sol";

/// @title Platform wallet
/// @notice The spender that founders grant allowance to. One call of an operator pays a bounty from the founder's wallet
/// to the contributor and the platform fee to the treasury, both or neither. Each payout id is paid once, permanently. The
/// contract itself holds nothing. An operator can pay anybody, within the founders' allowances (which include the bounty
/// reserves), the daily caps that the owner sets, and the highest fee. A pause stops every operator.
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

    /// @notice The factory whose tokens can be paid.
    address public immutable factory;
    /// @notice The code that the factory's curves point to.
    address public immutable curveImplementation;
    /// @notice Receives the platform fees.
    address public immutable treasury;

    /// @notice Whether payouts are stopped.
    bool public paused;
    /// @notice Whether a key can pay.
    mapping(address operator => bool) public isOperator;
    /// @notice Whether a payout id was paid.
    mapping(bytes32 payoutId => bool) public paid;

    mapping(address token => Cap) private _caps;

    /// @dev The factory makes it.
    /// @param owner_ sets operators and caps, and ends pauses
    /// @param treasury_ receives the platform fees; not zero
    /// @param curveImplementation_ the code that the factory's curves point to
    constructor(address owner_, address treasury_, address curveImplementation_) Owned(owner_) {
        if (treasury_ == address(0)) revert ZeroAddress();
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
        if (!isOperator[msg.sender]) revert NotOperator();
        if (paused) revert PausedError();
        if (amount == 0) revert ZeroAmount();
        // A fifth of both together is a quarter of the amount alone.
        if (fee > amount / 4) revert FeeTooHigh(amount / 4);
        if (from == to) revert SelfPayment();
        if (paid[payoutId]) revert AlreadyPaid();
        address founder = _founderOf(token);
        if (from != founder) revert NotFounder(founder);

        paid[payoutId] = true;
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
    /// @param token a token of the factory
    /// @param cap base units a day, at most 2^104 - 1; zero for no cap
    function setDailyCap(address token, uint104 cap) external onlyOwner {
        _founderOf(token);
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
        if (amount > left) revert DailyCapExceeded(left);
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
