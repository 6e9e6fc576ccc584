import type { OverviewView } from '../../../base/schema/generated/control.ts';
import { ask } from '../../api.ts';

export const fetchOverview = () => ask<OverviewView>('GET', 'overview');
