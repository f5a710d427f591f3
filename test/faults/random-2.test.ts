import { playSeeds } from './play-seeds.ts'

playSeeds(26, 50)
