// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @dev A coin that takes every signature, and has vices that can be switched on.
contract BadCoin {
    mapping(address account => uint256) public balanceOf;
    /// @dev Kept by the coin from each transfer, in percent.
    uint256 public kept;
    /// @dev Moves nothing, and says so when asked by `transfer`, not when asked to receive.
    bool public lies;

    function mint(address to, uint256 amount) external {
        balanceOf[to] += amount;
    }

    function keep(uint256 percent) external {
        kept = percent;
    }

    function lie(bool whether) external {
        lies = whether;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        if (lies) return false;
        _move(msg.sender, to, amount);
        return true;
    }

    function receiveWithAuthorization(address from, address to, uint256 amount, uint256, uint256, bytes32, bytes calldata)
        external
    {
        if (!lies) _move(from, to, amount);
    }

    function _move(address from, address to, uint256 amount) private {
        balanceOf[from] -= amount;
        balanceOf[to] += amount - amount * kept / 100;
    }
}
