// The eighteen cord colours of the demo shop, from undyed to darkest.
import type { DemoColor } from './record.ts'

export const colors: DemoColor[] = [
  { id: 'natural-cream', name: 'Natural_Cream', base: '#f5ead6', shade: '#c4ab7e', isAvailable: true, isLowOnStock: false },
  { id: 'snow-white', name: 'Snow_White', base: '#faf7f1', shade: '#b9b1a4', isAvailable: true, isLowOnStock: false },
  { id: 'oatmeal', name: 'Oatmeal', base: '#dcc7a3', shade: '#967a52', isAvailable: true, isLowOnStock: false },
  { id: 'mustard', name: 'Mustard', base: '#dfa63c', shade: '#8f5d14', isAvailable: true, isLowOnStock: true },
  { id: 'terracotta', name: 'Terracotta', base: '#cd7550', shade: '#7e3a20', isAvailable: true, isLowOnStock: false },
  {
    id: 'rust',
    name: 'Rust',
    base: '#ab5630',
    shade: '#5e2611',
    isAvailable: true,
    isLowOnStock: false,
    discount: { type: 'amount', value: 100 },
  },
  { id: 'dusty-rose', name: 'Dusty_Rose', base: '#d7a399', shade: '#8d554d', isAvailable: true, isLowOnStock: false },
  { id: 'blush', name: 'Blush', base: '#f0d0c5', shade: '#b78274', isAvailable: true, isLowOnStock: false },
  { id: 'burgundy', name: 'Burgundy', base: '#883441', shade: '#42131c', isAvailable: false, isLowOnStock: false },
  { id: 'plum', name: 'Plum', base: '#85607d', shade: '#432a3f', isAvailable: true, isLowOnStock: true },
  { id: 'sage-green', name: 'Sage_Green', base: '#aab898', shade: '#5f704c', isAvailable: true, isLowOnStock: false },
  { id: 'olive', name: 'Olive', base: '#87894f', shade: '#434522', isAvailable: true, isLowOnStock: false },
  { id: 'forest-green', name: 'Forest_Green', base: '#4b6a52', shade: '#1d3225', isAvailable: true, isLowOnStock: false },
  {
    id: 'teal',
    name: 'Teal',
    base: '#478f8f',
    shade: '#1d4848',
    isAvailable: true,
    isLowOnStock: false,
    discount: { type: 'percent', value: 1000 },
  },
  { id: 'sky-blue', name: 'Sky_Blue', base: '#b0ccda', shade: '#5f8499', isAvailable: true, isLowOnStock: false },
  { id: 'navy', name: 'Navy', base: '#3a4e78', shade: '#161f3a', isAvailable: true, isLowOnStock: false },
  { id: 'mocha', name: 'Mocha', base: '#926d53', shade: '#4b3222', isAvailable: true, isLowOnStock: false },
  { id: 'charcoal', name: 'Charcoal', base: '#585554', shade: '#232120', isAvailable: true, isLowOnStock: false },
]
