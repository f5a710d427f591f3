// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {BondingCurve} from "../../../server/money/chain/contracts/BondingCurve.sol";
import {ProjectToken} from "../../../server/money/chain/contracts/ProjectToken.sol";
import {Signatures} from "../support/Signatures.sol";
import {Payers} from "./Payers.sol";

/// @dev Sends what others have signed. A contract of its own, so that its functions are not fuzzed and a refusal can be
/// caught.
contract Relayer is Signatures {
    function transfer(ProjectToken token, Transfer calldata t, bytes calldata signature, bool inParts) external {
        if (inParts) _transferByParts(token, t, signature);
        else _transferBySignature(token, t, signature);
    }

    function sell(BondingCurve curve, Sale calldata sale, bytes calldata signature) external {
        _sellBySignature(curve, sale, signature);
    }
}

/// @dev Everybody with a key signs transfers and sales. A relayer sends each twice.
abstract contract Signers is Payers {
    /// @dev The first of `people` have a key.
    uint256 private constant KEYS = 6;

    Relayer private immutable _relayer = new Relayer();
    uint256 private _signed;

    function transferSigned(uint256 which, uint256 from, uint256 to, uint256 seed) external {
        Project storage p = _pick(which);
        from %= KEYS;
        Transfer memory t = _transferOf(people[from], _person(to), _bound(seed, 0, _free(p, people[from])));
        bytes memory signature = _sign(_nameOf(from), _transferDigest(_domainOfProject(p), TRANSFER, t));
        uint256 senders = p.token.balanceOf(t.from);
        uint256 recipients = p.token.balanceOf(t.to);
        uint256 moved = t.from == t.to ? 0 : t.value;
        bool inParts = seed % 2 == 0;
        try _relayer.transfer(p.token, t, signature, inParts) {
            bool exact = p.token.balanceOf(t.from) == senders - moved && p.token.balanceOf(t.to) == recipients + moved;
            if (!exact || !p.token.authorizationState(t.from, t.nonce)) ++_breaches.brokenAuthorizations;
        } catch {
            ++_breaches.brokenAuthorizations;
        }
        t.value = 0;
        signature = _sign(_nameOf(from), _transferDigest(_domainOfProject(p), TRANSFER, t));
        try _relayer.transfer(p.token, t, signature, !inParts) {
            ++_breaches.forgedAuthorizations;
        } catch {}
    }

    function sellSigned(uint256 which, uint256 who, uint256 seed) external {
        Project storage p = _pick(which);
        who %= KEYS;
        uint256 amount = p.curve.maxSell(people[who]);
        if (amount == 0) return;
        amount = _spread(seed, 1, amount);
        uint256 value = _cost(p, p.curve.sold() - amount, amount, false);
        uint256 fee = _feeOn(p, value);
        if (value <= fee) return;
        address recipient = address(uint160(uint256(keccak256(abi.encode("recipient", _signed)))));
        Sale memory sale = _saleOf(people[who], amount, value - fee, recipient);
        bytes memory signature = _sign(_nameOf(who), _saleDigest(_domainOfProject(p), sale));
        uint256 left = p.token.balanceOf(sale.seller) - amount;
        try _relayer.sell(p.curve, sale, signature) {
            p.feesAccrued += fee;
            bool exact = recipient.balance == value - fee && p.token.balanceOf(sale.seller) == left;
            if (!exact || address(_relayer).balance != 0) ++_breaches.brokenAuthorizations;
        } catch {
            ++_breaches.brokenAuthorizations;
        }
        _observePrice(p);
        try _relayer.sell(p.curve, sale, signature) {
            ++_breaches.forgedAuthorizations;
        } catch {}
    }

    /// @dev Each would be taken without its one flaw.
    function forgeAuthorization(uint256 which, uint256 flaw, uint256 seed, bool sells) external {
        Project storage p = _pick(which);
        address from = people[1];
        Transfer memory t = _transferOf(from, people[2], _bound(seed, 0, _free(p, from)));
        Sale memory sale = _saleOf(from, p.curve.maxSell(from), 0, people[2]);
        sale.nonce = t.nonce;
        if (sells && sale.amount == 0) return;
        bytes32 domain = _domainOfProject(p);
        flaw %= 7;
        if (flaw == 0) domain = _domainOfProject(_pick(which % projects.length + 1));
        bytes memory signature = _sign(
            flaw == 1 ? "buyer 2" : "buyer 1",
            sells ? _saleDigest(domain, sale) : _transferDigest(domain, TRANSFER, t)
        );
        uint256 chain = block.chainid;
        uint256 time = block.timestamp;
        if (flaw == 2) vm.chainId(chain + 1);
        if (flaw == 3) signature = _twin(signature);
        if (flaw == 4) (t.to, sale.recipient) = (people[3], people[3]);
        if (flaw == 5) vm.warp(seed % 2 == 0 ? t.validAfter : t.validBefore);
        if (flaw == 6) {
            p.token.cancelAuthorization(from, t.nonce, _sign("buyer 1", _cancelDigest(domain, from, t.nonce)));
        }
        if (sells ? _takes(p, sale, signature) : _takes(p, t, signature)) ++_breaches.forgedAuthorizations;
        vm.chainId(chain);
        vm.warp(time);
    }

    /// @dev Whether the token takes a transfer that the founder has signed.
    function _founderSends(Project storage p, address to, uint256 amount) internal returns (bool) {
        Transfer memory t = _transferOf(founder, to, amount);
        return _takes(p, t, _sign("founder", _transferDigest(_domainOfProject(p), TRANSFER, t)));
    }

    /// @dev Whether the curve takes a sale that the founder has signed.
    function _founderSells(Project storage p, address to, uint256 amount) internal returns (bool) {
        Sale memory sale = _saleOf(founder, amount, 0, to);
        return _takes(p, sale, _sign("founder", _saleDigest(_domainOfProject(p), sale)));
    }

    function _takes(Project storage p, Transfer memory t, bytes memory signature) private returns (bool taken) {
        try _relayer.transfer(p.token, t, signature, t.value % 2 == 0) {
            taken = true;
        } catch {}
    }

    function _takes(Project storage p, Sale memory sale, bytes memory signature) private returns (bool taken) {
        try _relayer.sell(p.curve, sale, signature) {
            taken = true;
        } catch {}
    }

    function _transferOf(address from, address to, uint256 value) private returns (Transfer memory) {
        return Transfer(from, to, value, block.timestamp - 1, block.timestamp + 10, bytes32(++_signed));
    }

    function _saleOf(address seller, uint256 amount, uint256 minOut, address recipient)
        private
        returns (Sale memory)
    {
        return
            Sale(seller, amount, minOut, recipient, block.timestamp - 1, block.timestamp + 10, bytes32(++_signed));
    }

    function _nameOf(uint256 index) private pure returns (string memory) {
        string[KEYS] memory names =
            ["founder", "buyer 1", "buyer 2", "buyer 3", "contributor 1", "contributor 2"];
        return names[index];
    }

    function _domainOfProject(Project storage p) private view returns (bytes32) {
        return _domainOf("Project", address(p.token));
    }
}
