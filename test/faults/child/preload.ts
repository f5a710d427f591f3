import { armKillSwitches } from './kill-switch.ts'

/** Loaded with --import before the unchanged program; the environment says at which steps it ends. */
armKillSwitches(JSON.parse(process.env.FAULT_SWITCHES ?? '[]'))
