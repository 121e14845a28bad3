/** In a file of its own, so that visitors do not load these icons. */
import { icon } from './icons.tsx'

export const BadgePercent = icon('badge-percent')
export const ChartColumn = icon('chart-column')
export const CircleAlert = icon('circle-alert')
export const Download = icon('download')
export const GripVertical = icon('grip-vertical')
export const ImageOff = icon('image-off')
export const MailWarning = icon('mail-warning')
export const MessageSquareText = icon('message-square-text')
export const Pencil = icon('pencil')
export const Plus = icon('plus')
export const Trash2 = icon('trash-2')
export const TriangleAlert = icon('triangle-alert')
export const Undo2 = icon('undo-2')
