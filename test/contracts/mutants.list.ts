/** One planted mistake: `original` becomes `mutation` in a contract, and the test `caughtBy` has to fail. */
export interface Mutant {
  property: string
  name: string
  file: string
  original: string
  mutation: string
  caughtBy: string
}

const curve = 'BondingCurve.sol'
const token = 'ProjectToken.sol'
const wallet = 'PlatformWallet.sol'
const factory = 'ProjectFactory.sol'
const price = 'libraries/LinearPrice.sol'

/** How a purchase ends, from storing the state to the refund. */
const purchase = [
  '        _save(state);',
  '        ProjectToken(token()).transfer(msg.sender, amountOut);',
  '        emit Bought(msg.sender, amountOut, ethIn, fee, state.sold);',
  '        unchecked {',
  '            if (msg.value > ethIn) SafeTransferLib.safeTransferETH(msg.sender, msg.value - ethIn);',
  '        }',
]

/** How a sale ends, from storing the state to the payment. */
const sale = [
  '        _save(state);',
  '        ProjectToken(token()).takeForSale(msg.sender, amountIn);',
  '        emit Sold(msg.sender, amountIn, ethOut, fee, state.sold);',
  '        SafeTransferLib.safeTransferETH(msg.sender, ethOut);',
]

const invariants: Mutant[] = [
  {
    property: 'ETH held covers buying back all of `sold`',
    name: 'a purchase rounds down',
    file: curve,
    original: 'uint256 cost = shape.costUp(state.sold, amount);',
    mutation: 'uint256 cost = shape.costDown(state.sold, amount);',
    caughtBy: 'invariant_etherHeldCoversBuyingBackAllThatWasSold',
  },
  {
    property: 'ETH held covers buying back all of `sold`',
    name: 'a sale pays the fee out and books it too',
    file: curve,
    original: 'ethOut = value - fee;',
    mutation: 'ethOut = value;',
    caughtBy: 'invariant_etherHeldCoversBuyingBackAllThatWasSold',
  },
  {
    property: '… in any order and any split',
    name: 'the treasury can take what backs the sold tokens',
    file: curve,
    original: 'amount = state.fees;',
    mutation: 'amount = address(this).balance;',
    caughtBy: 'invariant_bankRunIsServedInAnyOrderAndSplit',
  },
  {
    property: 'any holder can sell up to `sold` at the quoted price',
    name: 'the last of what was sold cannot be sold back',
    file: curve,
    original: 'if (amount > state.sold) revert ExceedsSold(state.sold);',
    mutation: 'if (amount >= state.sold) revert ExceedsSold(state.sold);',
    caughtBy: 'invariant_holdersCanAlwaysSellUpToSoldAtTheQuotedPrice',
  },
  {
    property: 'any holder can sell up to `sold` at the quoted price',
    name: 'a sale is priced above, not below, the margin',
    file: curve,
    original: '_shape(state).costDown(state.sold - amount, amount);',
    mutation: '_shape(state).costDown(state.sold, amount);',
    caughtBy: 'invariant_holdersCanAlwaysSellUpToSoldAtTheQuotedPrice',
  },
  {
    property: 'nothing is bought or sold for zero',
    name: 'dust is taken for nothing',
    file: curve,
    original: 'if (ethOut == 0) revert NothingToPay();',
    mutation: '',
    caughtBy: 'invariant_nothingIsBoughtOrSoldForNothing',
  },
  {
    property: 'total supply is constant',
    name: 'a sale mints for the curve instead of taking',
    file: token,
    original: '_transfer(seller, msg.sender, amount);',
    mutation: '_mint(msg.sender, amount);',
    caughtBy: 'invariant_totalSupplyIsConstantAndAllAccountedFor',
  },
  {
    property: 'buying then selling never profits, whole or split',
    name: 'a sale rounds up',
    file: curve,
    original: '_shape(state).costDown(state.sold - amount, amount);',
    mutation: '_shape(state).costUp(state.sold - amount, amount);',
    caughtBy: 'invariant_buyingThenSellingNeverProfits',
  },
  {
    property: 'splitting a trade never pays',
    name: 'the fee rounds down',
    file: curve,
    original: 'return (value * feeBps + BPS - 1) / BPS;',
    mutation: 'return value * feeBps / BPS;',
    caughtBy: 'invariant_splittingATradeNeverPays',
  },
  {
    property: 'price is monotone in `sold`',
    name: 'the price follows what is left instead of what is sold',
    file: curve,
    original: 'return _shape(state).spot(state.sold);',
    mutation: 'return _shape(state).spot(_shape(state).forSale - state.sold);',
    caughtBy: 'invariant_priceFollowsSold',
  },
  {
    property: 'the last token can be bought',
    name: 'the last base unit is not for sale',
    file: curve,
    original: 'if (amount > available) revert',
    mutation: 'if (amount >= available) revert',
    caughtBy: 'invariant_everythingForSaleCanBeBought',
  },
  {
    property: 'the last token can be bought, at either end',
    name: 'a division by the amount left',
    file: price,
    original: 'return 2 * shape.forSale * shape.supply;',
    mutation: 'return 2 * shape.forSale * shape.supply / (shape.forSale == shape.supply ? 0 : 1);',
    caughtBy: 'test_cost_ofEverythingIsTheMeanValueTimesTheShareForSale',
  },
  {
    property: 'the reserve leaves only through `pay`',
    name: 'a sale does not check the reserve',
    file: token,
    original: 'if (from != founder_) return;',
    mutation: 'if (from != founder_ || msg.sender == curve_) return;',
    caughtBy: 'invariant_reserveLeavesTheFounderOnlyThroughPay',
  },
  {
    property: 'the reserve leaves only through `pay`',
    name: 'the promise to contributors can be revoked',
    file: token,
    original: 'if (amount < left) revert ApprovalBelowReserve(left);',
    mutation: 'if (amount < left) { _reserve = amount; return; }',
    caughtBy: 'invariant_reserveLeavesTheFounderOnlyThroughPay',
  },
  {
    property: 'each payout id once',
    name: 'a paid id is not remembered',
    file: wallet,
    original: 'paid[payoutId] = true;',
    mutation: '',
    caughtBy: 'invariant_eachPayoutOnceAndBothLegsOrNone',
  },
  {
    property: 'both legs or none',
    name: 'a failing fee leg is ignored',
    file: wallet,
    original: 'if (fee != 0) ProjectToken(token).transferFrom(from, treasury, fee);',
    mutation: 'if (fee != 0) try ProjectToken(token).transferFrom(from, treasury, fee) {} catch {}',
    caughtBy: 'invariant_eachPayoutOnceAndBothLegsOrNone',
  },
  {
    property: 'fees paid are fees accrued',
    name: 'fees can be taken twice',
    file: curve,
    original: 'state.fees = 0;',
    mutation: '',
    caughtBy: 'invariant_feesPaidAreFeesAccrued',
  },
  {
    property: 'nobody sets a clone or the implementation up again',
    name: 'anybody can set a curve up',
    file: curve,
    original: 'if (msg.sender != factory) revert NotFactory();',
    mutation: '',
    caughtBy: 'invariant_nobodyChangesParametersOrSetsUpAgain',
  },
  {
    property: 'nobody sets a clone or the implementation up again',
    name: 'a token can be minted again',
    file: token,
    original: 'if (totalSupply() != 0) revert AlreadyInitialized();',
    mutation: '',
    caughtBy: 'invariant_nobodyChangesParametersOrSetsUpAgain',
  },
  {
    property: 'nobody changes a parameter; nobody re-enters',
    name: 'a purchase can be re-entered',
    file: curve,
    original: '        payable\n        nonReentrant\n',
    mutation: '        payable\n',
    caughtBy: 'invariant_nobodyChangesParametersOrSetsUpAgain',
  },
  {
    property: 'permits cannot be forged or replayed',
    name: 'a permit needs no signature',
    file: token,
    original: 'super.permit(owner, spender, value, deadline, v, r, s);',
    mutation: 'deadline; v; r; s; _approve(owner, spender, value);',
    caughtBy: 'invariant_permitsCannotBeForgedOrReplayed',
  },
  {
    property: 'forced ETH moves no price',
    name: 'fees are what the balance exceeds',
    file: curve,
    original: '        return _load().fees;\n',
    mutation: '        return address(this).balance - _shape(_load()).costUp(0, _load().sold);\n',
    caughtBy: 'invariant_giftsMoveNoPrice',
  },
  {
    property: 'forced tokens move no price',
    name: 'the curve takes gifts of tokens',
    file: token,
    original: ' || to == curve_;',
    mutation: ';',
    caughtBy: 'invariant_giftsMoveNoPrice',
  },
]

const others: Mutant[] = [
  {
    property: 'addresses cannot be squatted',
    name: 'the salt leaves the caller out',
    file: factory,
    original: 'return keccak256(abi.encode(caller, projectKey));',
    mutation: 'return caller == address(0) ? bytes32(0) : keccak256(abi.encode(projectKey));',
    caughtBy: 'test_create_givesEachCallerItsOwnAddressForAKey',
  },
  {
    property: 'only tokens of the factory are paid',
    name: "a copy of a token's code passes for it",
    file: 'libraries/ProjectAddresses.sol',
    original: 'if (token == expected)',
    mutation: 'if (token.codehash == expected.codehash)',
    caughtBy: 'test_isToken_isNotFooledByACloneWithTheRealSalt',
  },
  {
    property: 'only the founder pays',
    name: 'an operator can debit anyone who approved the platform wallet',
    file: wallet,
    original: 'if (from != founder) revert NotFounder(founder);',
    mutation: '',
    caughtBy: 'test_stolenOperatorKey_takesNoMoreThanAllowanceAndCap',
  },
  {
    property: 'the daily cap holds',
    name: 'what was spent is forgotten',
    file: wallet,
    original: 'entry.spent += uint104(amount);',
    mutation: '',
    caughtBy: 'test_dailyCap_neverLetsMoreThroughInADay',
  },
  {
    property: 'the daily cap holds',
    name: 'raising the cap forgets what was spent',
    file: wallet,
    original: '_caps[token].cap = cap;',
    mutation: 'if (cap > _caps[token].cap) _caps[token].spent = 0;\n        _caps[token].cap = cap;',
    caughtBy: 'test_dailyCap_raisedKeepsWhatWasSpentToday',
  },
  {
    property: 'the daily cap resets every day',
    name: 'the number of the day wraps at 256',
    file: wallet,
    original: 'return uint48(block.timestamp / 1 days);',
    mutation: 'return uint8(block.timestamp / 1 days);',
    caughtBy: 'test_dailyCap_startsAnewOnEveryLaterDay',
  },
  {
    property: 'only tokens of the factory have a cap',
    name: 'a cap is taken for any address',
    file: wallet,
    original: '        _founderOf(token);\n        _caps[token].cap = cap;',
    mutation: '        _caps[token].cap = cap;',
    caughtBy: 'test_dailyCap_refusesWhatIsNoTokenOfTheFactory',
  },
  {
    property: 'permits bind to the domain that wallets show',
    name: 'the domain leaves the name out',
    file: token,
    original: '    function _givePermit2InfiniteAllowance()',
    mutation:
      '    function _constantNameHash() internal pure override returns (bytes32) {\n        return keccak256("");\n    }\n\n    function _givePermit2InfiniteAllowance()',
    caughtBy: 'test_permit_domainNamesTheTokenItsChainAndItsAddress',
  },
  {
    property: 'nobody re-enters',
    name: 'a withdrawal of fees can be re-entered',
    file: curve,
    original: 'function withdrawFees(address to) external nonReentrant returns',
    mutation: 'function withdrawFees(address to) external returns',
    caughtBy: 'test_reentrantReceiverOfFees_getsNothingIn',
  },
  {
    property: 'views are true while a trade is being paid',
    name: 'a purchase is stored after the refund',
    file: curve,
    original: purchase.join('\n'),
    mutation: [...purchase.slice(1), '        _save(state);'].join('\n'),
    caughtBy: 'test_viewsInARefund_countThePurchase',
  },
  {
    property: 'views are true while a trade is being paid',
    name: 'a sale is stored after the payment',
    file: curve,
    original: sale.join('\n'),
    mutation: [...sale.slice(1), '        _save(state);'].join('\n'),
    caughtBy: 'test_viewsInASalesPayment_countTheSale',
  },
  {
    property: 'ownership changes in two steps',
    name: 'anybody can accept',
    file: 'Owned.sol',
    original: 'if (msg.sender != pendingOwner) revert NotPendingOwner();',
    mutation: '',
    caughtBy: 'test_ownersFunctionsRefuseEverybodyElse',
  },
  {
    property: 'no infinite allowance by default',
    name: 'Permit2 may spend everybody’s tokens',
    file: token,
    original:
      'function _givePermit2InfiniteAllowance() internal pure override returns (bool) {\n        return false;',
    mutation:
      'function _givePermit2InfiniteAllowance() internal pure override returns (bool) {\n        return true;',
    caughtBy: 'test_permit2_hasNoAllowance',
  },
  {
    property: 'approvals of the platform read back exactly',
    name: 'the reserve is counted twice',
    file: token,
    original: 'sstore(keccak256(0x0c, 0x34), sub(amount, left))',
    mutation: 'sstore(keccak256(0x0c, 0x34), amount)',
    caughtBy: 'test_approve_ofPlatformReadsBackExactly',
  },
  {
    property: 'prices are exact',
    name: 'the slope counts the start twice',
    file: price,
    original: '(2 * sold + amount)',
    mutation: '(2 * sold + 2 * amount)',
    caughtBy: 'test_costUp_isTheExactCeiling',
  },
]

/** Every planted mistake, the invariants' first. */
export const mutants: readonly Mutant[] = [...invariants, ...others]
