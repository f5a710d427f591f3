// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Ownership that is handed over in two steps
/// @notice The owner names a successor, who has to accept. Ownership cannot be renounced.
abstract contract Owned {
    /// @notice The caller is not the owner.
    error NotOwner();
    /// @notice The caller is not the named successor.
    error NotPendingOwner();
    /// @notice The zero address cannot be used here.
    error ZeroAddress();

    /// @notice The owner named a successor, or withdrew an earlier naming.
    /// @param owner the owner
    /// @param pendingOwner the successor; zero if a naming was withdrawn
    event OwnershipTransferStarted(address indexed owner, address indexed pendingOwner);
    /// @notice There is a new owner.
    /// @param previousOwner the owner before; zero at construction
    /// @param owner the owner from now on
    event OwnershipTransferred(address indexed previousOwner, address indexed owner);

    /// @notice The owner.
    address public owner;
    /// @notice The named successor, or zero.
    address public pendingOwner;

    modifier onlyOwner() {
        if (msg.sender != owner) revert NotOwner();
        _;
    }

    /// @param owner_ the first owner
    constructor(address owner_) {
        if (owner_ == address(0)) revert ZeroAddress();
        owner = owner_;
        emit OwnershipTransferred(address(0), owner_);
    }

    /// @notice Names a successor, who becomes owner by accepting. Only the owner can call it.
    /// @param successor the successor; zero withdraws an earlier naming
    function transferOwnership(address successor) external onlyOwner {
        pendingOwner = successor;
        emit OwnershipTransferStarted(msg.sender, successor);
    }

    /// @notice Makes the named successor the owner. Only the successor can call it.
    function acceptOwnership() external {
        if (msg.sender != pendingOwner) revert NotPendingOwner();
        emit OwnershipTransferred(owner, msg.sender);
        owner = msg.sender;
        delete pendingOwner;
    }
}
