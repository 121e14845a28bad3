/** Large bodies are held in memory until they are answered: of one address a few at a time are read, the others wait on their line (025). */
import { openLanes, type InTurn } from './lanes.ts'

/** A browser sends two pictures at a time, and makes most of them smaller than what counts as large. */
export const LARGE_AT_ONCE = 4

export const openLargeBodies = (): InTurn => openLanes(LARGE_AT_ONCE)
