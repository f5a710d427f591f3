import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { afterAll } from 'vitest'
import { type Alarm, alarmChannel } from '../../server/loops/alarms.ts'

/** The alarms that are raised from now on until the end of the test file, the oldest first. */
export function noteAlarms(): readonly Alarm[] {
  const alarms: Alarm[] = []
  const note = (alarm: unknown) => void alarms.push(alarm as Alarm)
  subscribe(alarmChannel, note)
  afterAll(() => void unsubscribe(alarmChannel, note))
  return alarms
}
