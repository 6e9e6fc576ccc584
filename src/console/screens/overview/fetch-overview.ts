import type { OverviewView } from '../../../base/schema/control.ts';
import { ask } from '../../api.ts';

export const fetchOverview = () => ask<OverviewView>('GET', 'overview');
