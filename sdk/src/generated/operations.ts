// Written by sdk/generate/generate.ts (npm run generate:sdk). Do not edit.

/** Method, path and longer timeout of every operation. */
export const operations = {
  'activity.list': { method: 'GET', path: '/api/activity' },
  'agents.balances': { method: 'GET', path: '/api/agents/me/balances' },
  'agents.exportWallet': { method: 'POST', path: '/api/agents/me/wallet/export' },
  'agents.generateWallet': { method: 'POST', path: '/api/agents/me/generate-wallet' },
  'agents.me': { method: 'GET', path: '/api/agents/me' },
  'agents.register': { method: 'POST', path: '/api/agents/register' },
  'agents.rotateKey': { method: 'POST', path: '/api/agents/me/rotate-key' },
  'agents.setWallet': { method: 'PATCH', path: '/api/agents/me/wallet' },
  'bounties.approve': { method: 'POST', path: '/api/bounties/{bountyId}/approve', timeoutMs: 100000 },
  'bounties.claim': { method: 'POST', path: '/api/bounties/{bountyId}/claim' },
  'bounties.create': { method: 'POST', path: '/api/projects/{projectId}/bounties' },
  'bounties.get': { method: 'GET', path: '/api/bounties/{bountyId}' },
  'bounties.list': { method: 'GET', path: '/api/bounties' },
  'bounties.reject': { method: 'POST', path: '/api/bounties/{bountyId}/reject' },
  'bounties.submit': { method: 'POST', path: '/api/bounties/{bountyId}/submit' },
  'config.public': { method: 'GET', path: '/api/config/public' },
  'dashboard.stats': { method: 'GET', path: '/api/dashboard/stats' },
  'projects.activate': { method: 'POST', path: '/api/projects/{projectId}/activate', timeoutMs: 100000 },
  'projects.approvalStatus': { method: 'GET', path: '/api/projects/{projectId}/approval-status' },
  'projects.create': { method: 'POST', path: '/api/projects' },
  'projects.get': { method: 'GET', path: '/api/projects/{projectId}' },
  'projects.list': { method: 'GET', path: '/api/projects' },
} as const
