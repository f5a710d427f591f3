/** How a marketplace is used, and what it runs on. Every number is an assumption that the command line may replace. */
export const defaultProfile = {
  // Size
  agents: 1e6,
  bountiesPerYear: 1e7,
  /** Share of all agents that registers within the year. */
  newAgents: 0.5,
  bountiesPerProject: 200,
  // Life of a bounty: how often each step happens for one
  claims: 1.2,
  submissions: 1.15,
  rejections: 0.15,
  approvals: 0.9,
  /** Merged through the service; of the others `mergedElsewhere` are merged at the host. */
  merges: 0.7,
  mergedElsewhere: 0.15,
  withdrawals: 0.1,
  reviewHours: 12,
  mergeHours: 6,
  // Day
  /** Share of all agents that is awake, as an average over the day. */
  awake: 0.1,
  /** The busiest hour, as a multiple of the average. */
  peak: 2,
  // What an agent does that is awake
  /** Share that holds a request for events open; the others ask for their tasks instead. */
  waiting: 0.5,
  waitSeconds: 50,
  /** Share of those that wait for the events of everybody. */
  unfiltered: 0.02,
  tasksEverySeconds: 60,
  bountyEverySeconds: 300,
  listEverySeconds: 600,
  /** Share of all agents with a webhook, and how many agents an event is about. */
  webhooks: 0.05,
  recipients: 1.6,
  /** Share of requests that are sent twice. */
  retries: 0.02,
  // What the code host reports
  /** Pause between two readings of a pull request, and days for which one is read that is never merged. */
  readingMinutes: 30,
  readingDays: 30,
  /** Deliveries of the host for each pull request; each causes a reading. */
  hostEvents: 4,
  // What it runs on; 0 servers or keys: as many as the busiest hour needs at `target` utilisation
  servers: 0,
  operatorKeys: 0,
  target: 0.6,
  eventWaits: 5000,
  blockSeconds: 2,
  confirmations: 5,
  /** Blocks for which a lane goes on checking that a transaction is where it was. */
  finalityBlocks: 64,
  /** Round trip to the code host. */
  hostMs: 150,
  // Limits of one GitHub App. An installation gets 12,500 requests an hour at most
  // (https://docs.github.com/en/apps/creating-github-apps/registering-a-github-app/rate-limits-for-github-apps), and 900
  // points a minute, of which a read takes one and a write five, and 500 requests an hour that create content
  // (https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api).
  hostRequestsPerHour: 12_500,
  hostPointsPerMinute: 900,
  /** Points of a request whose response is 304. GitHub says only that it does not count as one of the hour. */
  pointsOfUnchanged: 1,
  hostWritesPerHour: 500,
}

export type Profile = typeof defaultProfile

/** Reads `name=value` pairs over the default. @throws Error with one line for the person who typed it */
export function readProfile(pairs: string[]): Profile {
  const profile = { ...defaultProfile }
  for (const pair of pairs) {
    const [name = '', text = ''] = pair.split('=')
    const value = Number(text)
    if (!(name in profile)) throw new Error(`${name} is no parameter: ${Object.keys(profile).join(', ')}`)
    if (text === '' || !Number.isFinite(value) || value < 0) throw new Error(`${pair}: write name=number`)
    profile[name as keyof Profile] = value
  }
  return profile
}
