import { Outlet } from 'react-router';
import { useSnapshot } from 'valtio';
import { mayOpen } from '@/lib/page-access';
import type { PageName } from '@/lib/paths';
import { meState } from '@/stores/me-store';
import { NotFound } from './not-found';

interface AllowedProps {
  page: PageName;
}

/** Shows a page to those who may open it. All others see that the page does not exist. */
export function Allowed({ page }: AllowedProps) {
  const { user } = useSnapshot(meState);
  return mayOpen(user, page) ? <Outlet /> : <NotFound />;
}
