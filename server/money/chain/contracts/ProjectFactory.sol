// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {LibClone} from "solady/src/utils/LibClone.sol";
import {LibRLP} from "solady/src/utils/LibRLP.sol";
import {LibString} from "solady/src/utils/LibString.sol";
import {BondingCurve} from "./BondingCurve.sol";
import {ProjectAddresses} from "./libraries/ProjectAddresses.sol";
import {PlatformWallet} from "./PlatformWallet.sol";
import {ProjectToken} from "./ProjectToken.sol";

/// @title Project factory
/// @notice Makes the token and the bonding curve of each project, once, at addresses that are known in advance. Creating
/// the factory also creates the platform wallet and both implementations, so one transaction deploys everything.
/// @dev The curve is a CREATE2 clone salted with caller and project key; the token is that curve's first CREATE.
contract ProjectFactory {
    /// @notice The caller has already made a project with this key.
    /// @param token its token
    /// @param curve its curve
    error ProjectExists(address token, address curve);
    /// @notice This address cannot be a founder: zero, the treasury, or a contract of the platform or the project.
    error InvalidFounder();
    /// @notice The supply is not a whole number of tokens from 1 to 1e12.
    error InvalidSupply();
    /// @notice The name is empty or longer than MAX_NAME_BYTES.
    error InvalidName();
    /// @notice The symbol is empty, longer than MAX_SYMBOL_BYTES or not alphanumeric.
    error InvalidSymbol();

    /// @notice A project was made.
    /// @param projectKey the caller's key for it
    /// @param creator the caller
    /// @param founder the founder's wallet
    /// @param token its token
    /// @param curve its bonding curve
    /// @param supply total supply in base units
    /// @param name the token's name, any bytes
    /// @param symbol the token's symbol
    event ProjectCreated(
        bytes32 indexed projectKey,
        address indexed creator,
        address indexed founder,
        address token,
        address curve,
        uint256 supply,
        string name,
        string symbol
    );

    /// @notice Longest name: 200 characters of four bytes.
    uint256 public constant MAX_NAME_BYTES = 800;
    /// @notice Longest symbol.
    uint256 public constant MAX_SYMBOL_BYTES = 20;
    /// @notice Largest supply, in base units: 1e12 tokens.
    uint256 public constant MAX_SUPPLY = 1e30;

    /// @notice The spender that founders grant allowance to.
    PlatformWallet public immutable platformWallet;
    /// @notice The code behind every token.
    ProjectToken public immutable tokenImplementation;
    /// @notice The code behind every curve.
    BondingCurve public immutable curveImplementation;
    /// @notice Receives all fees.
    address public immutable treasury;
    /// @notice Share of each supply minted as bounty reserve, in basis points.
    uint256 public immutable bountyReserveBps;
    /// @notice Fee on each purchase and sale, in basis points.
    uint256 public immutable curveFeeBps;

    /// @param owner owner of the platform wallet
    /// @param treasury_ receives platform and curve fees; not zero
    /// @param bountyReserveBps_ share of each supply minted as bounty reserve, in basis points, at most 5,000
    /// @param curveFeeBps_ fee on each purchase and sale, in basis points, at most 1,000
    /// @param startFdv_ fully diluted value when nothing is sold, in wei, at least 1e15
    /// @param endFdv_ fully diluted value when everything is sold, in wei, at most 1e27
    /// @param dollar stablecoin that founders can lock for bounties; zero for none
    /// @param dollarCap base units of it that can be paid a day; above zero
    constructor(
        address owner,
        address treasury_,
        uint256 bountyReserveBps_,
        uint256 curveFeeBps_,
        uint256 startFdv_,
        uint256 endFdv_,
        address dollar,
        uint56 dollarCap
    ) {
        // Each of the three needs the address of another one. The wallet's is computed: it is the third contract made here.
        address wallet = LibRLP.computeAddress(address(this), 3);
        tokenImplementation = new ProjectToken(wallet);
        curveImplementation = new BondingCurve(
            address(tokenImplementation), treasury_, bountyReserveBps_, curveFeeBps_, startFdv_, endFdv_
        );
        platformWallet = new PlatformWallet(owner, treasury_, address(curveImplementation), dollar, dollarCap);
        assert(address(platformWallet) == wallet);
        treasury = treasury_;
        bountyReserveBps = bountyReserveBps_;
        curveFeeBps = curveFeeBps_;
    }

    /// @notice Makes a project and mints its supply: the bounty reserve to the founder, the rest to the curve. Anybody can
    /// call it. Only caller and key determine the addresses, so nobody can take the addresses of another caller.
    /// @param projectKey the caller's key for the project; a second call with it reverts
    /// @param name the token's name, 1 to MAX_NAME_BYTES bytes of any content
    /// @param symbol the token's symbol, 1 to MAX_SYMBOL_BYTES letters and digits
    /// @param supply total supply in base units, a multiple of 1e18 from 1e18 to MAX_SUPPLY
    /// @param founder the founder's wallet
    /// @return token the project's token
    /// @return curve the project's bonding curve
    function create(
        bytes32 projectKey,
        string calldata name,
        string calldata symbol,
        uint256 supply,
        address founder
    ) external returns (address token, address curve) {
        bytes32 salt = _salt(msg.sender, projectKey);
        (token, curve) = _addresses(salt);
        if (curve.code.length != 0) revert ProjectExists(token, curve);
        if (_isReserved(founder) || founder == token || founder == curve) revert InvalidFounder();
        if (supply == 0 || supply > MAX_SUPPLY || supply % 1e18 != 0) revert InvalidSupply();
        if (bytes(name).length == 0 || bytes(name).length > MAX_NAME_BYTES) revert InvalidName();
        if (!_isSymbol(symbol)) revert InvalidSymbol();

        LibClone.cloneDeterministic(address(curveImplementation), salt);
        BondingCurve(curve).initialize(salt, name, symbol, supply, founder);
        emit ProjectCreated(projectKey, msg.sender, founder, token, curve, supply, name, symbol);
    }

    /// @notice The addresses that a project has or will have.
    /// @param caller the caller of `create`
    /// @param projectKey the key
    /// @return token the project's token
    /// @return curve the project's bonding curve
    function predict(address caller, bytes32 projectKey) external view returns (address token, address curve) {
        return _addresses(_salt(caller, projectKey));
    }

    /// @notice Whether this factory made a token.
    /// @param token any address
    /// @return whether the factory made it
    function isToken(address token) external view returns (bool) {
        return founderOf(token) != address(0);
    }

    /// @notice The founder of a token made by this factory.
    /// @param token any address
    /// @return the founder's wallet, or zero when this factory did not make `token`
    function founderOf(address token) public view returns (address) {
        return ProjectAddresses.founderOf(address(this), address(curveImplementation), token);
    }

    /// @notice Fully diluted value when nothing is sold.
    /// @return wei
    function startFdv() external view returns (uint256) {
        return curveImplementation.startFdv();
    }

    /// @notice Fully diluted value when everything is sold.
    /// @return wei
    function endFdv() external view returns (uint256) {
        return curveImplementation.endFdv();
    }

    function _isReserved(address founder) private view returns (bool) {
        return founder == address(0) || founder == address(this) || founder == address(platformWallet)
            || founder == treasury;
    }

    function _isSymbol(string memory symbol) private pure returns (bool) {
        uint256 length = bytes(symbol).length;
        return length != 0 && length <= MAX_SYMBOL_BYTES
            && LibString.is7BitASCII(symbol, LibString.ALPHANUMERIC_7_BIT_ASCII);
    }

    function _salt(address caller, bytes32 projectKey) private pure returns (bytes32) {
        return keccak256(abi.encode(caller, projectKey));
    }

    function _addresses(bytes32 salt) private view returns (address token, address curve) {
        return ProjectAddresses.predict(address(this), address(curveImplementation), salt);
    }
}
