// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {BondingCurve} from "../../../server/money/chain/contracts/BondingCurve.sol";
import {Owned} from "../../../server/money/chain/contracts/Owned.sol";
import {PlatformWallet} from "../../../server/money/chain/contracts/PlatformWallet.sol";
import {ProjectToken} from "../../../server/money/chain/contracts/ProjectToken.sol";
import {ForcedGift} from "../support/Accounts.sol";
import {Signers} from "./Signers.sol";

/// @dev Adds those who do what they may not: the founder after the reserve, givers of unwanted ether and tokens,
/// meddlers with parameters and set-up, forgers of permits.
contract Handler is Signers {
    address private immutable _meddler = _account("meddler");

    function escapeReserve(uint256 which, uint256 route, uint256 seed) external {
        Project storage p = _pick(which);
        uint256 reserve = p.token.bountyReserve();
        if (reserve == 0) return;
        uint256 free = _free(p, founder);
        uint256 amount = free + _spread(seed, 1, reserve);
        address accomplice = people[1];
        route %= 7;
        bool escaped;
        if (route == 0) escaped = _callAs(founder, address(p.token), _transferCall(accomplice, amount));
        if (route == 1) escaped = _callAs(founder, address(p.token), _transferCall(address(0), amount));
        if (route == 2) escaped = _callAs(founder, address(p.token), _transferCall(address(p.curve), amount));
        if (route == 3) {
            vm.prank(founder);
            p.token.approve(accomplice, amount);
            escaped = _callAs(
                accomplice, address(p.token), abi.encodeCall(p.token.transferFrom, (founder, accomplice, amount))
            );
            vm.prank(founder);
            p.token.approve(accomplice, 0);
        }
        if (route == 4 && amount <= p.curve.sold()) {
            vm.deal(founder, 0);
            escaped = _callAs(founder, address(p.curve), abi.encodeCall(p.curve.sell, (amount, 0, founder, LATER)));
        }
        if (route == 5) escaped = _founderSends(p, accomplice, amount);
        if (route == 6 && amount <= p.curve.sold()) escaped = _founderSells(p, accomplice, amount);
        if (escaped) ++_breaches.escapedReserves;
    }

    function giveEther(uint256 which, uint256 seed) external {
        Project storage p = _pick(which);
        uint256 wei_ = _spread(seed, 1, 1e24);
        bytes memory before = _prices(p);
        vm.deal(address(this), wei_);
        new ForcedGift{value: wei_}(payable(address(p.curve)));
        if (keccak256(_prices(p)) != keccak256(before)) ++_breaches.pricesMovedByGifts;
        vm.deal(address(this), 1);
        (bool ok,) = address(p.curve).call{value: 1}("");
        if (ok) ++_breaches.pricesMovedByGifts;
    }

    function giveTokens(uint256 which, uint256 who, uint256 seed) external {
        Project storage p = _pick(which);
        address person = _person(who);
        uint256 free = _free(p, person);
        if (free == 0) return;
        bytes memory before = _prices(p);
        bool ok = _callAs(person, address(p.token), _transferCall(address(p.curve), _spread(seed, 1, free)));
        if (ok || keccak256(_prices(p)) != keccak256(before)) ++_breaches.pricesMovedByGifts;
    }

    function meddle(uint256 which, uint256 who, uint256 route) external {
        Project storage p = _pick(which);
        address caller = who % 4 == 0 ? founder : who % 4 == 1 ? operator : who % 4 == 2 ? treasury : _meddler;
        bytes[11] memory calls = [
            abi.encodeCall(BondingCurve.initialize, ("salt", "N", "S", 1e30, caller)),
            abi.encodeCall(ProjectToken.initialize, (1e18, 1e18)),
            abi.encodeCall(ProjectToken.takeForSale, (people[1], 0)),
            abi.encodeCall(PlatformWallet.setOperator, (caller, true)),
            abi.encodeCall(PlatformWallet.setDailyCap, (address(p.token), 1)),
            abi.encodeCall(PlatformWallet.unpause, ()),
            abi.encodeCall(Owned.transferOwnership, (caller)),
            abi.encodeCall(Owned.acceptOwnership, ()),
            abi.encodeCall(PlatformWallet.pause, ()),
            abi.encodeCall(PlatformWallet.resign, ()),
            abi.encodeCall(PlatformWallet.pay, (keccak256("meddle"), address(p.token), founder, _meddler, 1, 0))
        ];
        route %= calls.length;
        if (route > 7 && caller == operator) return;
        bool ok = route < 1
            ? _callAs(caller, address(p.curve), calls[route])
                || _callAs(caller, address(_curveCode(p)), calls[route])
            : route < 3
                ? _callAs(caller, address(p.token), calls[route])
                    || _callAs(caller, _curveCode(p).tokenImplementation(), calls[route])
                : _callAs(caller, address(p.wallet), calls[route]);
        if (ok) ++_breaches.tamperings;
    }

    function meddleAsInsiders(uint256 which) external {
        Project storage p = _pick(which);
        bytes memory again = abi.encodeCall(BondingCurve.initialize, ("salt", "N", "S", 1e18, _meddler));
        if (_callAs(p.wallet.factory(), address(p.curve), again)) ++_breaches.tamperings;
        if (_callAs(address(p.curve), address(p.token), abi.encodeCall(ProjectToken.initialize, (1, 1)))) {
            ++_breaches.tamperings;
        }
    }

    function forgePermit(uint256 which, uint256 route, uint256 value) external {
        Project storage p = _pick(which);
        address from = people[1];
        uint256 deadline = block.timestamp + 10;
        bytes32 digest = _permitDigest(p, from, value, deadline);
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(_key("buyer 1"), digest);
        route %= 5;
        uint256 chain = block.chainid;
        uint256 time = block.timestamp;
        if (route == 0) p.token.permit(from, _meddler, value, deadline, v, r, s);
        if (route == 1) vm.chainId(chain + 1);
        if (route == 2) (v, r, s) = vm.sign(_key("buyer 2"), digest);
        if (route == 3) vm.warp(deadline + 1);
        if (route == 4) value ^= 1;
        try p.token.permit(from, _meddler, value, deadline, v, r, s) {
            ++_breaches.forgedPermits;
        } catch {}
        vm.chainId(chain);
        vm.warp(time);
        vm.prank(from);
        p.token.approve(_meddler, 0);
    }

    function _permitDigest(Project storage p, address from, uint256 value, uint256 deadline)
        private
        view
        returns (bytes32)
    {
        bytes32 typeHash =
            keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");
        bytes32 body = keccak256(abi.encode(typeHash, from, _meddler, value, p.token.nonces(from), deadline));
        return keccak256(abi.encodePacked("\x19\x01", p.token.DOMAIN_SEPARATOR(), body));
    }

    function _curveCode(Project storage p) private view returns (BondingCurve) {
        return BondingCurve(p.wallet.curveImplementation());
    }

    function _transferCall(address to, uint256 amount) private pure returns (bytes memory) {
        return abi.encodeCall(ProjectToken(address(0)).transfer, (to, amount));
    }

    function _callAs(address caller, address target, bytes memory data) private returns (bool ok) {
        vm.prank(caller);
        (ok,) = target.call(data);
    }

    /// @dev Everything that a gift must leave alone.
    function _prices(Project storage p) private view returns (bytes memory) {
        uint256 sold = p.curve.sold();
        uint256 forSale = p.curve.forSale();
        uint256 bid = sold == 0 ? 0 : _quote(p, sold, false);
        uint256 ask = sold == forSale ? 0 : _quote(p, forSale - sold, true);
        return abi.encode(p.curve.price(), sold, p.curve.accruedFees(), bid, ask);
    }

    function _quote(Project storage p, uint256 amount, bool up) private view returns (uint256 wei_) {
        if (up) try p.curve.quoteBuy(amount) returns (uint256 ethIn, uint256) { wei_ = ethIn; } catch {}
        else try p.curve.quoteSell(amount) returns (uint256 ethOut, uint256) { wei_ = ethOut; } catch {}
    }
}
