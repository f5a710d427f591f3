// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {LibClone} from "solady/src/utils/LibClone.sol";
import {LibRLP} from "solady/src/utils/LibRLP.sol";
import {TokenArguments} from "./TokenArguments.sol";

/// @title Addresses of a factory's projects
/// @notice The curve is the factory's CREATE2 clone for a salt, and the token is that curve's first CREATE. So the
/// addresses prove that the factory made a token: this needs no storage, and nobody can forge it.
library ProjectAddresses {
    /// @notice The addresses that the project with a salt has or will have.
    /// @param factory the factory
    /// @param curveImplementation the code its curves point to
    /// @param salt the project's salt
    /// @return token the project's token
    /// @return curve the project's bonding curve
    function predict(address factory, address curveImplementation, bytes32 salt)
        internal
        pure
        returns (address token, address curve)
    {
        curve = LibClone.predictDeterministicAddress(curveImplementation, salt, factory);
        token = LibRLP.computeAddress(curve, 1);
    }

    /// @notice The founder of a factory's token.
    /// @dev Any contract can claim a salt in its code. The claim is true only at the address that follows from the salt, and
    /// only the factory's curve can create code there.
    /// @param factory the factory
    /// @param curveImplementation the code its curves point to
    /// @param token any address
    /// @return founder the founder's wallet, or zero when the factory did not make `token`
    function founderOf(address factory, address curveImplementation, address token)
        internal
        view
        returns (address founder)
    {
        if (!TokenArguments.present(token)) return address(0);
        (address expected,) = predict(factory, curveImplementation, TokenArguments.salt(token));
        if (token == expected) (founder,) = TokenArguments.parties(token);
    }
}
